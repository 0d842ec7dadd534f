import { defineConfig } from 'vitest/config'

const limits = { testTimeout: 60_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...limits,
          name: 'library',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'packages/*/test/house/**'],
          setupFiles: ['packages/ashlar/test/seed-generators.ts'],
        },
      },
      {
        // Tests of the built package and of the repository itself; they alone need the build.
        test: {
          ...limits,
          name: 'house',
          include: ['packages/*/test/house/**/*.test.ts'],
          globalSetup: ['packages/ashlar/test/house/build-once.ts', 'packages/potion/test/house/build-once.ts'],
        },
      },
      {
        // Programs to copy, run as processes of their own on the built packages.
        test: {
          ...limits,
          name: 'examples',
          include: ['examples/*/test/*.test.ts'],
          globalSetup: ['packages/ashlar/test/house/build-once.ts', 'packages/potion/test/house/build-once.ts'],
        },
      },
    ],
  },
})
