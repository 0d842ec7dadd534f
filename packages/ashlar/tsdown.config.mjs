import { defineConfig } from 'tsdown'

export default defineConfig({
  // Doors, and the process and the threads that read and ingest files, which are started by their file names.
  entry: {
    '*': 'src/*.ts',
    'ingest-thread': 'src/ingest/node/ingest-thread.ts',
    'loader-process': 'src/ingest/node/loader-process.ts',
    'reader-thread': 'src/ingest/node/reader-thread.ts',
  },
  format: 'esm',
  platform: 'neutral',
  target: 'es2024',
  dts: true,
  clean: true,
  // Names without hashes: what is published can be read and compared.
  hash: false,
  // What doors share is named apart from them: the door `tree` and a part called `tree` must not compete for one name.
  outputOptions: { chunkFileNames: 'part-[name].js' },
  // Everything else that the library imports must be a peer: an unlisted package fails the build instead of growing it.
  deps: { onlyBundle: ['unicode-segmenter'], neverBundle: [/^node:/] },
})
