import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { handbook, temporaryFolder } from '../temporary-folder.ts'
import { bin, plainEnvironment, runBin } from './run-bin.ts'

test('the official client lists the tools, calls them and gets quoted evidence', async () => {
  await using folder = await temporaryFolder(handbook)
  await runBin(folder.path, ['add', 'docs'])
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'mcp', '--prefix', 'handbook_'],
      cwd: folder.path,
      env: { ...plainEnvironment },
      stderr: 'pipe',
    }),
  )
  try {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('handbook_search')
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    const found = await client.callTool({ name: 'handbook_search', arguments: { query: 'honey for the winter' } })
    const [content] = found.content as readonly { readonly type: string; readonly text: string }[]
    expect(found.isError).toBe(false)
    expect(content?.text).toContain('fifteen kilograms')
    expect(content?.text).toContain('docs/bees.txt')
    const wrong = await client.callTool({ name: 'no_such_tool', arguments: {} })
    expect(wrong.isError).toBe(true)
  } finally {
    await client.close()
  }
})

test('it ends when the other side does, and without a library it says what to do', async () => {
  await using folder = await temporaryFolder(handbook)
  const missing = await runBin(folder.path, ['mcp'])
  expect(missing.exit).toBe(1)
  expect(missing.out).toBe('')
  expect(missing.err).toContain('ashlar add')
  await runBin(folder.path, ['add', 'docs'])
  expect(await runBin(folder.path, ['mcp'])).toMatchObject({ exit: 0, out: '', err: '' })
})
