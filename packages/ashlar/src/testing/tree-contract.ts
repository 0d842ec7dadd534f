import fc from 'fast-check'
import { characters } from '../text/characters.ts'
import type { Counter } from '../text/counter.ts'
import type { Tree } from '../tree/tree.ts'
import { textArbitrary } from './text-arbitrary.ts'
import { checkTree, type TreeSettings } from './tree-law.ts'

/** What {@link treeContract} needs to know. */
export interface TreeContractOptions {
  /** Shown in the names of the tests. */
  readonly name: string
  readonly build: (text: string, settings: TreeSettings & { readonly overlap: number }) => Tree | Promise<Tree>
  /** The test function of your runner: vitest's, node:test's or any other with this shape. */
  readonly test: (name: string, body: () => Promise<void>, timeout?: number) => unknown
  /** Generated cases. @default 300 */
  readonly runs?: number
  /** Seed of the generator, printed when a law breaks. @default 20261115 */
  readonly seed?: number
  /** Format whose markup the generated texts carry; see `chunkerContract`. @default 'plain' */
  readonly format?: string
  /** Counters to measure with. @default [characters] */
  readonly counters?: readonly Counter[]
  /** Real documents to build trees of as well. @default none */
  readonly documents?: Iterable<{ readonly name: string; readonly text: string }>
}

/** Sizes that rise from child to section, small ones most often, where builders break. */
export function treeSettingsArbitrary(
  counters: readonly Counter[] = [characters],
): fc.Arbitrary<TreeSettings & { readonly overlap: number }> {
  return fc
    .record({
      sizes: fc.oneof(
        fc.tuple(...[12, 12, 12].map((max) => fc.integer({ min: 1, max }))),
        fc.tuple(...[300, 800, 2400].map((max) => fc.integer({ min: 1, max }))),
      ),
      share: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.5, noNaN: true })),
      counter: fc.constantFrom(...counters),
    })
    .map(({ sizes, share, counter }) => {
      const [child = 1, parent = 1, section = 1] = [...sizes].sort((left, right) => left - right)
      return { child, parent, section, counter, overlap: Math.floor(child * share) }
    })
}

/** Registers the laws of the tree as tests for any builder: on generated texts over all of Unicode, and on the documents given. */
export function treeContract(options: TreeContractOptions): void {
  const { name, build, test, runs = 300, seed = 20261115, format = 'plain', counters = [characters] } = options
  const check = async (text: string, settings: TreeSettings & { readonly overlap: number }): Promise<void> => {
    const violations = checkTree(await build(text, settings), settings)
    if (violations.length === 0) return
    throw new Error(`${violations.map(({ law, message }) => `${law}: ${message}`).join('; ')} (counter ${settings.counter.id})`)
  }

  test(`${name}: keeps the laws of the tree on ${runs} generated texts`, async () => {
    await fc.assert(fc.asyncProperty(textArbitrary(format), treeSettingsArbitrary(counters), check), { numRuns: runs, seed })
  }, 120_000)

  test(`${name}: gives the same tree for the same text`, async () => {
    await fc.assert(
      fc.asyncProperty(textArbitrary(format), treeSettingsArbitrary(counters), async (text, settings) => {
        const [once, again] = [await build(text, settings), await build(text, settings)]
        if (JSON.stringify(once) !== JSON.stringify(again)) throw new Error('two trees of one text differ')
      }),
      { numRuns: Math.ceil(runs / 10), seed },
    )
  }, 120_000)

  for (const document of options.documents ?? []) {
    test(`${name}: keeps the laws of the tree on ${document.name}`, async () => {
      for (const counter of counters) {
        await check(document.text, { child: 300, parent: 800, section: 2400, overlap: 0, counter })
        await check(document.text, { child: 40, parent: 50, section: 60, overlap: 10, counter })
      }
    }, 120_000)
  }
}
