import { describe, expect, test } from 'vitest'
import type { PairedComparison } from '../../src/evaluation/bootstrap.ts'
import { type ComparisonEvent, compareConfigurations } from '../../src/evaluation/compare-configurations.ts'
import { type Configuration, indexDocuments, sameIndex } from '../../src/evaluation/configuration.ts'
import type { CorpusDocument } from '../../src/evaluation/corpus.ts'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import { makeQuestions } from '../../src/evaluation/make-questions.ts'
import { question } from '../../src/evaluation/question.ts'
import { recommend } from '../../src/evaluation/recommend.ts'
import type { Embedder } from '../../src/model/embedder.ts'
import { noUsage } from '../../src/model/usage.ts'
import { treePresets } from '../../src/tree/tree-options.ts'

const subjects = ['lime', 'slate', 'timber', 'glass', 'copper', 'gravel', 'plaster', 'thatch', 'granite', 'cork', 'zinc', 'adobe']

/** A page of several sections about one thing each. */
const documents: readonly CorpusDocument[] = subjects.map((subject, at) => ({
  id: `${subject}.md`,
  title: `The book of ${subject}`,
  format: 'markdown',
  text: `# Book of ${subject}

## Buying ${subject}

${subject} is sold by weight in the yard at the harbour. Dealers open at ${at + 5} in the morning. ${'Whoever comes late takes what is left and pays the same for it. '.repeat(4)}

## Storing ${subject}

Keep it dry and off the ground. ${'A roof of boards and a floor of slats are enough in most winters. '.repeat(4)} In spring the ${subject} is turned ${at + 2} times.
`,
}))

/** Vectors that count letters: enough to tell configurations with an embedder from those without. */
const letters: Embedder = {
  identity: {
    model: 'test/letters',
    options: {},
    dimensions: 26,
    pooling: 'provider',
    normalized: true,
    queryPrefix: '',
    documentPrefix: '',
    maxTokens: undefined,
  },
  maxBatch: 100,
  givesTokens: false,
  embed: async (texts) => ({
    vectors: texts.map((text) => {
      const counts = new Float32Array(26)
      for (const letter of text.toLowerCase()) {
        const at = letter.charCodeAt(0) - 97
        if (at >= 0 && at < 26) counts[at] = (counts[at] ?? 0) + 1
      }
      const length = Math.hypot(...counts) || 1
      return counts.map((count) => count / length)
    }),
    usage: { ...noUsage, inputTokens: texts.join('').length },
  }),
}

describe('asking', () => {
  test('every number is made of what was asked', async () => {
    const questions = await makeQuestions(documents, { limit: 20 })
    const { library } = await indexDocuments(documents, { name: 'words' })
    await using own = library
    const progress: number[] = []
    const { asked, ...summary } = await evaluate(own, questions, {
      hits: 3,
      tokens: 200,
      onProgress: (done) => progress.push(done),
    })
    expect(progress).toEqual(questions.map((_, at) => at + 1))
    for (const measure of ['completeness', 'withinTokens', 'reciprocalRank'] as const) {
      const mean = asked.reduce((sum, one) => sum + one[measure], 0) / asked.length
      expect(summary[measure].mean).toBeCloseTo(mean, 12)
      expect(summary[measure].low).toBeLessThanOrEqual(mean)
      expect(summary[measure].high).toBeGreaterThanOrEqual(mean)
    }
    for (const { found, completeness, tokens } of asked) {
      expect(found.length).toBeLessThanOrEqual(3)
      expect(completeness).toBeLessThanOrEqual(found.reduce((sum, { share }) => sum + share, 0) + 1e-9)
      expect(tokens).toBeGreaterThan(0)
    }
  })

  test('evidence that was found in a copy of its text is found', async () => {
    const text = 'The key to the quarry hangs behind the third beam of the old forge.'
    const twins = ['one', 'two'].map((id) => ({ id, title: '', text, format: 'plain' }))
    const { library } = await indexDocuments(twins, { name: 'words' })
    await using own = library
    for (const { id } of twins) {
      const gold = [{ document: id, start: 0, end: text.length }]
      const { completeness, withinTokens } = await evaluate(own, [question('fact', 'key to the quarry', gold)])
      expect([completeness.mean, withinTokens.mean]).toEqual([1, 1])
    }
  })
})

describe('comparing', () => {
  test('what is read larger holds more of the answer, and only what is cut otherwise is indexed again', async () => {
    const questions = await makeQuestions(documents, { limit: 40, kinds: ['heading'] })
    const events: ComparisonEvent[] = []
    const report = await compareConfigurations(
      documents,
      questions,
      [
        { name: 'children', tree: { child: 100 } },
        { name: 'parents', tree: { child: 100 }, search: { expand: 'parent' } },
        { name: 'letters', tree: { child: 100 }, embedder: letters },
      ],
      { hits: 1, tokens: 100, price: { input: 1, output: 0 }, onEvent: (event) => events.push(event) },
    )
    expect(report.results.map(({ name }) => name)).toEqual(['children', 'parents', 'letters'])
    const [children, parents, embedded] = report.results
    expect(parents?.index).toBe(children?.index)
    expect(embedded?.index?.usage.inputTokens).toBeGreaterThan(0)
    expect(embedded?.index?.money).toBeGreaterThan(0)
    const [first] = report.comparisons
    expect(first?.completeness.difference.low).toBeGreaterThan(0)
    expect(first?.tokens).toBeGreaterThan(1.5)
    for (const [at, comparison] of report.comparisons.entries()) {
      const other = report.results[at + 1]?.evaluation
      expect(comparison.completeness.difference.mean).toBeCloseTo(
        (other?.completeness.mean ?? 0) - (children?.evaluation.completeness.mean ?? 0),
        12,
      )
    }
    const indexed = new Set(events.flatMap((event) => (event.type === 'indexing' ? [event.configuration] : [])))
    expect([...indexed]).toEqual(['children', 'letters'])
    expect(events.filter(({ type }) => type === 'asking')).toHaveLength(3 * questions.length)
  })

  test('a library is asked as it stands where only the search differs', async () => {
    const questions = await makeQuestions(documents, { limit: 5 })
    const { library } = await indexDocuments(documents, { name: 'own' })
    await using own = library
    const both = [{ name: 'a' }, { name: 'b', search: { expand: 'segment' as const } }]
    const report = await compareConfigurations([], questions, both, { library: own })
    expect(report.results.map(({ index }) => index)).toEqual([undefined, undefined])
  })

  test('headings can be left out, and topics need an embedder', async () => {
    const bare = await indexDocuments(documents, { name: 'bare', headings: false })
    await using own = bare.library
    const { hits } = await own.search('winters')
    expect(hits[0]?.outline).toEqual([])
    await expect(indexDocuments(documents, { name: 'topics', semantic: true })).rejects.toThrow(/without an embedder/)
    const topics = await indexDocuments(documents.slice(0, 2), { name: 'topics', semantic: true, embedder: letters })
    await using other = topics.library
    expect((await other.search('winters')).hits.length).toBeGreaterThan(0)
  })

  test('two configurations share an index if nothing but the search differs', () => {
    const base: Configuration = { name: 'a' }
    expect(
      sameIndex(base, { name: 'b', tree: treePresets.precise, semantic: false, headings: true, search: { expand: 'parent' } }),
    ).toBe(true)
    for (const other of [
      { tree: { child: 200 } },
      { embedder: letters },
      { late: false as const },
      { semantic: true },
      { headings: false },
    ])
      expect(sameIndex(base, { name: 'b', ...other })).toBe(false)
  })
})

describe('a recommendation', () => {
  const paired = (mean: number, low: number, high: number, p = 0.001): PairedComparison => ({
    difference: { mean, low, high },
    better: 30,
    worse: 10,
    equal: 60,
    p,
  })
  const said = (completeness: PairedComparison, withinTokens: PairedComparison, tokens: number, found = 0.7): string =>
    recommend({ first: 'A', second: 'B', completeness, withinTokens, tokens, found }, 800)

  test('claims nothing where the interval includes zero, or signs are as even as by chance', () => {
    for (const unsure of [paired(0.01, -0.01, 0.03), paired(0.02, 0.001, 0.04, 0.2), paired(-0.01, -0.03, 0)]) {
      expect(said(unsure, unsure, 1)).toMatch(/^100 questions do not tell B and A apart .* Stay with A/)
      expect(said(unsure, unsure, 2)).toMatch(/^100 questions do not tell B and A apart within 800 tokens.*A hands over less/)
    }
  })

  test('says that questions were too easy where both find nearly all', () => {
    const same = paired(0, 0, 0, 1)
    expect(said(same, same, 1, 0.97)).toMatch(/such easy questions tell little/)
    expect(said(same, same, 1, 0.9)).not.toMatch(/easy/)
    expect(said(paired(0.03, 0.01, 0.05), same, 1, 0.96)).not.toMatch(/easy/)
  })

  test('names the better one, whichever it is', () => {
    expect(said(paired(0.05, 0.02, 0.08), paired(0, -1, 1), 1)).toMatch(
      /^Take B: .*by 5\.0 points \(95 % interval 2\.0 to 8\.0\)/,
    )
    expect(said(paired(-0.05, -0.08, -0.02), paired(0, -1, 1), 1.05)).toMatch(
      /^Take A: .*by 5\.0 points \(95 % interval 2\.0 to 8\.0\)/,
    )
  })

  test('goes by an equal budget where one hands over more, and says so', () => {
    const text = said(paired(0.2, 0.1, 0.3), paired(-0.04, -0.06, -0.02), 2.5)
    expect(text).toMatch(/^Take A: it finds more of the evidence within 800 tokens/)
    expect(text).toContain('B hands over 2.5 times as much text and more of the evidence, by 20.0 points')
  })
})
