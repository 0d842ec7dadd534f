import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/*.ts'],
  format: 'esm',
  platform: 'neutral',
  target: 'es2024',
  dts: true,
  clean: true,
  // Names without hashes: what is published can be read and compared.
  hash: false,
  // Everything else that the library imports must be a peer: an unlisted package fails the build instead of growing it.
  deps: { onlyBundle: ['unicode-segmenter'], neverBundle: [/^node:/] },
})
