import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandError } from '../src/command-error.ts'
import { readSettings } from '../src/settings.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('flags win over the environment, the environment over the file, the file over what is given', async () => {
  await using folder = await temporaryFolder({
    'ashlar.json': '{ "workspace": "file", "embedder": "none", "library": "file.db" }',
  })
  const { path } = folder
  const file = await readSettings({}, { cwd: path, env: {} })
  expect(file.values).toMatchObject({ workspace: 'file', embedder: 'none', library: join(path, 'file.db'), gitignore: true })
  expect(file.origins).toMatchObject({ workspace: join(path, 'ashlar.json'), gitignore: 'default' })
  const variable = await readSettings({}, { cwd: path, env: { ASHLAR_WORKSPACE: 'variable', ASHLAR_GITIGNORE: 'false' } })
  expect(variable.values).toMatchObject({ workspace: 'variable', gitignore: false })
  expect(variable.origins.workspace).toBe('ASHLAR_WORKSPACE')
  const flag = await readSettings({ workspace: 'flag' }, { cwd: path, env: { ASHLAR_WORKSPACE: 'variable' } })
  expect(flag.values.workspace).toBe('flag')
  expect(flag.origins.workspace).toBe('--workspace')
})

test('the file is found upwards and its paths begin where it is; those of flags begin where the person is', async () => {
  await using folder = await temporaryFolder({ 'ashlar.json': '{ "folder": "docs" }', 'docs/deep/a.md': '' })
  const cwd = join(folder.path, 'docs', 'deep')
  const { values, project } = await readSettings({ library: 'here.db' }, { cwd, env: {} })
  expect(project.folder).toBe(folder.path)
  expect(values.folder).toBe(join(folder.path, 'docs'))
  expect(values.library).toBe(join(cwd, 'here.db'))
})

test('a library that is there makes a project without a file of settings', async () => {
  await using folder = await temporaryFolder({ '.ashlar/library.db': '', 'docs/a.md': '' })
  const { values } = await readSettings({}, { cwd: join(folder.path, 'docs'), env: {} })
  expect(values.library).toBe(join(folder.path, '.ashlar', 'library.db'))
})

test.each([
  ['{ "embeder": "none" }', /There is no setting "embeder".*/, /Did you mean “embedder”\?/],
  ['{ "zzzzzzzz": 1 }', /There is no setting/, /There are: library, workspace/],
  ['{ "gitignore": "yes" }', /“gitignore” in .* must be true or false, not "yes"/, /./],
  ['{ "price": { "input": -1 } }', /must be what a million tokens cost/, /./],
  ['{ "fields": { "year": "date" } }', /must be an object such as/, /./],
  ['{ nonsense', /is not JSON/, /ashlar init/],
  ['[]', /must hold an object/, /ashlar init/],
])('a file that holds %s is refused', async (content, message, todo) => {
  await using folder = await temporaryFolder({ 'ashlar.json': content })
  const error = await readSettings({}, { cwd: folder.path, env: {} }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CommandError)
  expect((error as CommandError).message).toMatch(message)
  expect((error as CommandError).todo).toMatch(todo)
  expect((error as CommandError).code).toBe('USAGE')
})

test('prices are read as one number or two', async () => {
  const read = async (price: string): Promise<unknown> => (await readSettings({ price }, { cwd: '/', env: {} })).values.price
  expect(await read('0.02')).toEqual({ input: 0.02, output: 0 })
  expect(await read('0.15,0.60')).toEqual({ input: 0.15, output: 0.6 })
  await expect(read('cheap')).rejects.toThrow('must be what a million tokens cost')
})
