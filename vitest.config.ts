import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const limits = { testTimeout: 60_000, hookTimeout: 120_000 }

/** Packages that import each other by name are tested as they stand in the sources, without a build. */
const sources = [
  [/^ashlar$/, 'ashlar/src/index.ts'],
  [/^ashlar\/(testing|tokens)\/(.+)$/, 'ashlar/src/$1-$2.ts'],
  [/^ashlar\/(.+)$/, 'ashlar/src/$1.ts'],
  [/^ashlar-potion$/, 'potion/src/index.ts'],
].map(([find, file]) => ({ find: find as RegExp, replacement: fileURLToPath(new URL(`packages/${file}`, import.meta.url)) }))

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: sources },
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
          globalSetup: [
            'packages/ashlar/test/house/build-once.ts',
            'packages/potion/test/house/build-once.ts',
            'packages/server/test/house/build-once.ts',
          ],
        },
      },
      {
        // Programs to copy, run as processes of their own on the built packages.
        test: {
          ...limits,
          testTimeout: 180_000,
          name: 'examples',
          include: ['examples/*/test/*.test.ts'],
          globalSetup: ['packages/ashlar/test/house/build-once.ts', 'packages/potion/test/house/build-once.ts'],
        },
      },
    ],
  },
})
