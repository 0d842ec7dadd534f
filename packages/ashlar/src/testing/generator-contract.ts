import fc from 'fast-check'

import type { Generated, Generator, Prompt } from '../model/generator.ts'
import {
  awkwardTexts,
  checkAbort,
  checkSerialisable,
  checkUsage,
  type ModelContractOptions,
  must,
  once,
  resultOrRefusal,
} from './model-contract.ts'
import { textArbitrary } from './text-arbitrary.ts'

/** What {@link generatorContract} needs to know. */
export interface GeneratorContractOptions extends ModelContractOptions {
  /** Makes the generator, once for all tests. */
  readonly generator: () => Generator | Promise<Generator>
  /** Whether the same prompt always gets the same answer. Where it does, calls at once are held against calls in turn. @default false */
  readonly deterministic?: boolean
  /** Generator of texts in place of the built-in one. */
  readonly texts?: fc.Arbitrary<string>
}

const prompts: readonly Prompt[] = [
  { parts: [{ text: 'Name a stone that masons use.' }] },
  { system: 'Answer in one sentence.', parts: [{ text: 'What is a keystone?' }] },
  {
    system: 'Answer in one word.',
    parts: [{ text: 'A wall has a coping.\n\n', cache: true }, { text: 'What keeps rain off the wall?' }],
  },
  {
    parts: [
      { text: 'First part.\n', cache: true },
      { text: 'Second part.\n', cache: true },
      { text: 'Say something about the third.' },
    ],
  },
]

/**
 * Registers what every generator promises as tests: an answer that says how it ended, within the limit it was given, from the
 * prompt as it was given, and nothing but an `AshlarError` or the signal's reason thrown.
 */
export function generatorContract(options: GeneratorContractOptions): void {
  const { name, test, runs = 25, seed = 20261115, timeout = 120_000, deterministic = false } = options
  const generator = once(options.generator)
  const texts = options.texts ?? textArbitrary()
  const law = (promise: string, body: (generator: Generator) => Promise<void>): void => {
    test(`${name}: ${promise}`, async () => body(await generator()), timeout)
  }

  law('answers prompts with and without a system text, in one part or several', async (model) => {
    for (const prompt of prompts) {
      const { text, finish } = await generateChecked(model, prompt)
      must(finish !== 'stop' || text !== '', 'gave an empty answer as a complete one')
    }
  })

  law('leaves the prompt as it was given', async (model) => {
    for (const prompt of prompts) {
      const before = JSON.stringify(prompt)
      await generateChecked(model, frozen(prompt))
      must(JSON.stringify(prompt) === before, 'the prompt changed with the call')
    }
  })

  law('keeps the answer within the tokens it was given, and says where it was cut', async (model) => {
    const { usage, finish } = await generateChecked(model, prompts[1] as Prompt, 2)
    must(usage.outputTokens <= 2, `answered with ${usage.outputTokens} tokens where 2 were asked for`)
    must(finish !== 'stop' || usage.outputTokens < 2, 'says that an answer at its limit is complete')
  })

  law('stops when it is told to, with the reason it was given', (model) =>
    checkAbort((signal) => model.generate(prompts[0] as Prompt, { signal })),
  )

  law('has an identity that is data and does not change', async (model) => {
    const before = JSON.stringify(model.identity)
    checkSerialisable(model.identity)
    await generateChecked(model, prompts[0] as Prompt)
    must(JSON.stringify(model.identity) === before, 'the identity changed with a call')
    must(['automatic', 'marked', 'none'].includes(model.promptCache), `promptCache is ${model.promptCache}`)
  })

  if (deterministic)
    law('gives the same answer to the same prompt, in turn and at once', async (model) => {
      const inTurn: string[] = []
      for (const prompt of prompts) inTurn.push((await generateChecked(model, prompt)).text)
      const atOnce = await Promise.all(prompts.map((prompt) => generateChecked(model, prompt)))
      for (const [index, { text }] of atOnce.entries())
        must(text === inTurn[index], `prompt ${index} got another answer among calls at once`)
    })

  law('survives awkward texts or refuses them with an AshlarError', async (model) => {
    for (const text of awkwardTexts) {
      await generateOrRefuse(model, { parts: [{ text }] })
      await generateOrRefuse(model, { system: text, parts: [{ text: 'before ', cache: true }, { text }, { text: ' after' }] })
    }
  })

  law(`keeps all this on ${runs} generated prompts`, async (model) => {
    const parts = fc.array(fc.record({ text: texts, cache: fc.boolean() }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(parts, fc.option(texts), async (asked, system) =>
        generateOrRefuse(model, { parts: asked, ...(system !== null && { system }) }),
      ),
      { numRuns: runs, seed },
    )
  })
}

async function generateChecked(model: Generator, prompt: Prompt, maxTokens?: number): Promise<Generated> {
  const generated = await model.generate(prompt, maxTokens === undefined ? {} : { maxTokens })
  checkGenerated(generated)
  return generated
}

async function generateOrRefuse(model: Generator, prompt: Prompt): Promise<void> {
  const generated = await resultOrRefusal(model.generate(prompt), JSON.stringify(prompt).slice(0, 200))
  if (generated !== undefined) checkGenerated(generated)
}

function checkGenerated({ text, finish, usage }: Generated): void {
  must(typeof text === 'string', `the answer is ${typeof text}`)
  must(['stop', 'length', 'refused', 'other'].includes(finish), `the answer ended with ${JSON.stringify(finish)}`)
  checkUsage(usage)
}

function frozen(prompt: Prompt): Prompt {
  return Object.freeze({ ...prompt, parts: Object.freeze(prompt.parts.map((part) => Object.freeze({ ...part }))) })
}
