import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts'],
  format: 'esm',
  platform: 'neutral',
  target: 'es2024',
  dts: true,
  clean: true,
  hash: false,
  // Nothing is compiled in: the one import is the peer.
  deps: { onlyBundle: [] },
})
