import type { Loader } from '../../src/ingest/loader.ts'

function hostile(extension: string, load: () => unknown): Loader {
  return {
    id: `${extension}/1`,
    extensions: [extension],
    async load() {
      load()
      return { text: '', format: 'plain', loader: `${extension}/1`, notes: [] }
    },
  }
}

/** Loaders that do what parsers do when a file is made to hurt. */
export const loaders: readonly Loader[] = [
  hostile('hang', () => {
    for (;;);
  }),
  hostile('exit', () => process.exit(1)),
  hostile('throw', () => {
    throw new TypeError('not what I expected')
  }),
  hostile('memory', () => {
    const kept: string[][] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => `entry ${index}`))
  }),
]
