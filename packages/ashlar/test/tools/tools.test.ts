import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ingestFields } from '../../src/ingest/ingest-fields.ts'
import type { Library } from '../../src/library/library.ts'
import { open } from '../../src/library/open.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { aiSdkTools } from '../../src/tools/ai-sdk-tools.ts'
import type { LibraryTool } from '../../src/tools/library-tool.ts'
import { mcpTools } from '../../src/tools/mcp-tools.ts'
import { tools } from '../../src/tools/tools.ts'
import { injectionPayloads } from './injection-payloads.ts'
import { outsideFences } from './outside-fences.ts'

const long = 'Lime is burnt and slaked. '.repeat(2_000)
const library: Library = await open({ store: memoryStore({ workspace: 'w', fields: ingestFields }) })
afterAll(() => library.close())

function toolOf(name: string, options = {}): LibraryTool {
  return tools(library, options).find((tool) => tool.name.endsWith(name)) as LibraryTool
}

beforeAll(async () => {
  await library.add([
    { id: 'walls.md', text: '# Walls\n\nA dry stone wall has no mortar.\n', format: 'markdown', title: 'Walls' },
    { id: 'long.txt', text: long },
    ...injectionPayloads.map(({ canary, text }) => ({
      id: `payload ${canary}`,
      title: `Title ${text}`.replaceAll('\u0000', ''),
      text: `# Heading ${text}\n\nBody about quoins ${canary}. ${text}\n`,
      format: 'markdown' as const,
    })),
  ])
})

test('search quotes what it finds, and says when there is nothing', async () => {
  const found = await toolOf('search').execute({ query: 'mortar', limit: '3' })
  expect(found).toContain('A dry stone wall has no mortar.')
  // The id comes first, so that the agent can read on.
  expect(found).toMatch(/^\[1\] walls\.md, lines 1-3 \(Walls\)$/m)
  expect(await toolOf('search').execute({ query: 'zyzzyva' })).toBe('Nothing in the documents is about that.')
})

test('read goes through a document piece by piece, to its end', async () => {
  const read = toolOf('read', { maxTokens: 3_000 })
  let start = 0
  let text = ''
  for (;;) {
    const part = await read.execute({ document: 'long.txt', start })
    const code = /<<<([0-9a-f]{16})\n/.exec(part)?.[1] as string
    const body = part.slice(part.indexOf('\n\n', part.indexOf(`<<<${code}`)) + 2, part.indexOf(`\n${code}>>>`))
    text += body
    const next = /Goes on at character (\d+)/.exec(part)?.[1]
    if (next === undefined) break
    start = Number(next)
    expect(start).toBe(text.length)
  }
  expect(text === long, 'the parts are not the whole').toBe(true)
  expect(await read.execute({ document: 'nowhere' })).toMatch(/no document/)
  expect(await read.execute({ document: 'walls.md', start: 10_000 })).toMatch(/ends before/)
})

test('list goes through all documents within its budget', async () => {
  const list = toolOf('list', { maxTokens: 600 })
  let after: string | undefined
  let seen = ''
  for (let pages = 0; pages < 1_000; pages++) {
    const page: string = await list.execute(after === undefined ? {} : { after })
    seen += page
    const next = /^\{"after":.*\}$/m.exec(page)?.[0]
    expect(page.includes('There are more')).toBe(next !== undefined)
    if (next === undefined) break
    after = (JSON.parse(next) as { readonly after: string }).after
  }
  for (const { canary } of injectionPayloads) expect(seen).toContain(canary)
  expect(seen).toContain('"id":"walls.md"')
})

test('a model that calls wrongly is told what is wrong', async () => {
  expect(await toolOf('search').execute({})).toBe('query is missing.')
  expect(await toolOf('search').execute('mortar')).toBe('The input must be an object.')
  expect(await toolOf('search').execute({ query: 'a', limit: 0 })).toMatch(/from 1 to 50/)
  expect(await toolOf('search').execute({ query: 'a', limit: 1.5 })).toMatch(/whole number/)
  expect(await toolOf('search').execute({ query: 'a', where: {} })).toMatch(/no field "where"/)
  expect(await toolOf('search').execute({ query: ['a'] })).toMatch(/query must be a text/)
  expect(await toolOf('read').execute(JSON.parse('{"document":"a","__proto__":1}'))).toMatch(/no field/)
})

test('tools have names and schemas that providers take', () => {
  const all = tools(library, { prefix: 'handbook_' })
  expect(all.map(({ name }) => name)).toEqual(['handbook_search', 'handbook_read', 'handbook_list'])
  for (const { name, inputSchema } of all) {
    expect(name).toMatch(/^[a-z_]{1,64}$/)
    expect(JSON.parse(JSON.stringify(inputSchema))).toEqual(inputSchema)
    expect(inputSchema.additionalProperties).toBe(false)
  }
})

describe('whatever a stored text says stays inside its fence', () => {
  const asked = { search: { query: 'quoins', limit: 50 }, list: {}, read: {} }
  const adapters: Readonly<Record<string, (tool: 'search' | 'read' | 'list', input: object) => Promise<string>>> = {
    'plain tools': (name, input) => toolOf(name, { maxTokens: 100_000 }).execute(input),
    'AI SDK': async (name, input) => {
      const tool = aiSdkTools(tools(library, { maxTokens: 100_000 }))[name]
      const read = tool?.inputSchema['~standard'].validate(input) as { readonly value: object }
      return (await tool?.execute(read.value)) as string
    },
    MCP: async (name, input) => {
      const result = await mcpTools(tools(library, { maxTokens: 100_000 })).call(name, input)
      expect(result?.isError).toBe(false)
      expect(Object.keys(result ?? {}).sort()).toEqual(['content', 'isError'])
      return (result?.content ?? []).map(({ text }) => text).join('')
    },
  }

  test.each(Object.keys(adapters))('%s', async (adapter) => {
    const ask = adapters[adapter] as (tool: 'search' | 'read' | 'list', input: object) => Promise<string>
    expect(injectionPayloads.length).toBeGreaterThanOrEqual(100)
    for (const { canary } of injectionPayloads) {
      for (const [tool, input] of Object.entries({
        search: { query: `quoins "${canary}"`, limit: 5 },
        read: { document: `payload ${canary}` },
      })) {
        const answer = await ask(tool as 'search' | 'read', input)
        const code = /<<<([0-9a-f]{16})\n/.exec(answer)?.[1] as string
        expect(answer).toContain(canary)
        expect(outsideFences(answer, code).outside, `${tool} ${canary}`).not.toMatch(/CANARY|quoins|Heading|Title/)
      }
    }
    const listed = await ask('list', asked.list)
    const code = /<<<([0-9a-f]{16})\n/.exec(listed)?.[1] as string
    const { outside } = outsideFences(listed, code)
    expect(outside).toContain('There are more')
    expect(outside).not.toMatch(/CANARY|Title/)
  })
})

test('a failure of the library is an answer of the protocol, without what the engine said', async () => {
  const broken = mcpTools(
    tools({ ...library, search: () => Promise.reject(new Error('secret row')), get: library.get, list: library.list }),
  )
  expect(await broken.call('search', { query: 'a' })).toEqual({
    content: [{ type: 'text', text: 'The library failed.' }],
    isError: true,
  })
  expect(broken.call('nothing', {})).toBeUndefined()
})
