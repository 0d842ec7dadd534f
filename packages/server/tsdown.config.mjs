import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/bin.ts'],
  format: 'esm',
  platform: 'node',
  target: 'es2024',
  dts: false,
  // The package says that its files are modules; `.mjs` would say it twice.
  fixedExtension: false,
  clean: true,
  hash: false,
  outputOptions: { chunkFileNames: 'part-[name].js' },
  // Nothing is compiled in: everything it imports is a dependency of the package.
  deps: { onlyBundle: [] },
})
