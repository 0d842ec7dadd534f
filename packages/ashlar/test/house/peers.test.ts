import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { EvalDocument } from '../../../../evals/eval-set.ts'
import type { Embed } from '../../../../evals/peers/peer.ts'
import { arePeersInstalled, families, peers } from '../../../../evals/peers/peers.ts'

const turns = ['Ann: The kiln fires at nine.\n', 'Bob: And the glaze?\n', 'Ann: The glaze is cobalt blue.\n', 'Bob: Good.\n']

/** A conversation with its turns, and a text without pieces that is cut by most settings. */
const documents: readonly EvalDocument[] = [
  {
    id: 'conversation',
    title: '4 May',
    format: 'plain',
    text: turns.join(''),
    pieces: turns.map((turn, at) => {
      const start = turns.slice(0, at).join('').length
      return { start, end: start + turn.length }
    }),
  },
  {
    id: 'manual',
    format: 'markdown',
    text: `# Kilns\n\n${Array.from({ length: 60 }, (_, at) => `Kiln ${at} is lit on day ${at} of the month.`).join(' ')}\n`,
  },
]

/** Vectors without a model: each word in a place of its own. */
const embed: Embed = async (texts) =>
  texts.map((text) => {
    const vector = new Float32Array(64)
    for (const word of text.toLowerCase().match(/\w+/g) ?? []) vector[createHash('sha256').update(word).digest()[0]! % 64]! += 1
    const length = Math.hypot(...vector)
    return vector.map((number) => number / length)
  })

test('each peer of the evaluations is a file, and its recommended settings are among those tried', () => {
  const files = readdirSync(new URL('../../../../evals/peers', import.meta.url))
  for (const [name, { recommended, variants }] of Object.entries(families)) {
    expect(files).toContain(`${name}.ts`)
    expect(Object.keys(variants)).toContain(recommended)
    expect(Object.keys(peers)).toEqual(expect.arrayContaining([name, `${name}-best`, `${name}@${recommended}`]))
  }
})

const installed = arePeersInstalled()
describe.skipIf(!installed)(`peers${installed ? '' : ' (not installed: npm run peers:install)'}`, () => {
  test.each(Object.keys(families))('%s finds stretches of the documents it was given', async (name) => {
    const texts = new Map(documents.map(({ id, text }) => [id, text]))
    const { recommended, variants } = families[name]!
    const piecewise = Object.keys(variants).find((variant) => variant.includes('pieces'))!
    for (const variant of [recommended, piecewise]) {
      const peer = await peers[`${name}@${variant}`]!('locomo')
      const opened = await peer.open(documents, embed)
      const found = await opened.search('What colour is the glaze?', 3)
      expect(opened.chunks).toMatchObject({ altered: 0, lost: 0 })
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThanOrEqual(3)
      for (const { document, start, end } of found) {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(texts.get(document)!.length)
      }
      expect(found.some(({ document, start, end }) => texts.get(document)!.slice(start, end).includes('glaze'))).toBe(true)
      await opened.close()
      await peer.close?.()
    }
  })
})
