/**
 * The demo: `npm run demo [-- --json] [--quick]`. What somebody does who has just heard of Ashlar, from an empty folder.
 *
 * Packs the packages, installs the tarballs into an empty folder (third-party packages come from the registry), adds 200 real documents
 * and asks; then adds and asks again with the network denied. Prints each command with its time, writes `bench/results/demo.json`, and
 * exits with 1 when a bar is missed.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Figure, figure } from '../bench/harness/bench.ts'
import { openProgress } from '../bench/harness/progress.ts'
import { report } from '../bench/harness/report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['ashlar', 'potion', 'server']

/** Asked of the documents, and the one that answers it: its words are others than the question's. */
const question = 'test that a property holds for many generated random inputs'
const answer = 'docs/readme/fast-check.md'

interface Step {
  readonly command: string
  readonly seconds: number
  readonly counts: boolean
}

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
})
/** Documents to add. */
const wanted = values.quick ? 40 : 200
const progress = openProgress()
const steps: Step[] = []
const work = mkdtempSync(join(tmpdir(), 'ashlar-demo-'))
try {
  await demo()
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function demo(): Promise<void> {
  if (!values['no-build']) {
    progress.step('building')
    run('npm', ['run', '--silent', 'build'], root)
  }
  progress.step('packing')
  const tarballs = packages.map((name) => pack(join(root, 'packages', name)))
  const home = join(work, 'home')
  mkdirSync(home)
  const made = documents(join(home, 'docs'))
  const isPotionPacked = existsSync(join(root, 'packages/potion/model/model.safetensors'))
  // Without its model the package has nothing to embed with; words alone are searched then.
  const env = isPotionPacked ? {} : { ASHLAR_EMBEDDER: 'none' }

  const named = tarballs.map((path) => `../${basename(path)}`)
  const first = [
    timed('npm', ['install', '--no-audit', '--no-fund', ...named], home, {}, true),
    timed('npx', ['ashlar', 'add', 'docs'], home, env, true),
    timed('npx', ['ashlar', 'search', question], home, env, true),
  ]
  const online = hits(home, env, [])

  const deny = denial()
  rmSync(join(home, '.ashlar'), { recursive: true, force: true })
  const isDenied = !canConnect(deny)
  const offline = [deny.run(['add', 'docs'], home, env), deny.run(['search', question], home, env)]
  const found = hits(home, { ...env, ...deny.env }, deny.prefix)
  const status = JSON.parse(ashlar(['status', '--json'], home, env).stdout) as { stats: { documents: number; pieces: number } }

  const seconds = first.reduce((sum, step) => sum + step.seconds, 0)
  const figures: Figure[] = [
    figure('install, add and search', seconds, 's', '<= 120'),
    figure('commands', first.length, '', '<= 4'),
    figure('documents', status.stats.documents, '', `= ${wanted}`),
    figure('pieces', status.stats.pieces, ''),
    figure('add', first[1]?.seconds ?? Number.NaN, 's'),
    figure('search', first[2]?.seconds ?? Number.NaN, 's'),
    figure('the right document comes first', online[0] === answer ? 1 : 0, '', '= 1'),
    figure('network denied', isDenied ? 1 : 0, '', '= 1'),
    figure(
      'the same hits without network',
      JSON.stringify(found) === JSON.stringify(online) && found.length > 0 ? 1 : 0,
      '',
      '= 1',
    ),
    figure('add without network', offline[0]?.seconds ?? Number.NaN, 's'),
    figure('search without network', offline[1]?.seconds ?? Number.NaN, 's'),
  ]
  progress.end()
  report(
    {
      figures,
      table: {
        columns: ['command', 'seconds', 'counted'],
        rows: steps.map(({ command, seconds, counts }) => [command, Number(seconds.toFixed(2)), counts ? 'yes' : '']),
      },
      notes: [
        `The documents: ${made}.`,
        `The network was denied by ${deny.how}.`,
        ...(isPotionPacked ? [] : ['The model of ashlar-potion was not there to be packed: words alone were searched.']),
      ],
    },
    {
      command: `npm run demo${values.quick ? ' -- --quick' : ''}`,
      name: 'demo',
      quick: values.quick,
      json: values.json,
      folder: 'bench',
    },
  )
}

/** Real documents: what people wrote about the packages that are installed here. Files of the bench of loaders only where these are too few. */
function documents(folder: string): string {
  mkdirSync(join(folder, 'files'), { recursive: true })
  mkdirSync(join(folder, 'readme'))
  const modules = join(root, 'node_modules')
  const readmes = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|[\\/])(readme|changelog)\.md$/i.test(path) && statSync(join(modules, path)).size > 1_000)
    .sort()
    .sort((left, right) => Number(isAnswer(right)) - Number(isAnswer(left)))
    .slice(0, wanted)
  for (const path of readmes) copyFileSync(join(modules, path), join(folder, 'readme', `${documentName(path)}.md`))
  const loaders = join(root, 'bench/loaders/files')
  const files = readdirSync(loaders)
    .filter((name) => /\.(pdf|docx|xlsx|html|ipynb|csv|md|txt)$/.test(name))
    .slice(0, wanted - readmes.length)
  for (const name of files) copyFileSync(join(loaders, name), join(folder, 'files', name))
  const others = files.length === 0 ? '' : `, and ${files.length} files made for the bench of loaders`
  return `${readmes.length} READMEs and changelogs of installed packages${others}`
}

function isAnswer(path: string): boolean {
  return documentName(path) === basename(answer, '.md')
}

/** `fast-check/README.md` becomes `fast-check`, other files keep their names. */
function documentName(path: string): string {
  return path
    .replace(/[\\/]readme\.md$/i, '')
    .replace(/\.md$/i, '')
    .replaceAll(/[\\/]/g, '+')
}

function pack(folder: string): string {
  const { stdout } = run('npm', ['pack', '--json', '--silent', '--pack-destination', work], folder)
  const packed = JSON.parse(stdout.slice(stdout.search(/[[{]/))) as unknown
  const entries = (Array.isArray(packed) ? packed : Object.values(packed as object)) as { readonly filename: string }[]
  return join(work, basename(entries[0]?.filename ?? ''))
}

interface Denial {
  readonly how: string
  run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Step
  readonly prefix: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A namespace without a network where that is permitted, else a preload that refuses every connection. */
function denial(): Denial {
  const isPermitted = spawnSync('unshare', ['-rn', 'true']).status === 0
  const preload = join(work, 'no-network.mjs')
  writeFileSync(
    preload,
    `import net from 'node:net'
import dns from 'node:dns'
const refuse = () => { throw new Error('The network is denied.') }
net.Socket.prototype.connect = refuse
dns.lookup = refuse
globalThis.fetch = async () => refuse()
`,
  )
  const prefix = isPermitted ? ['unshare', '-rn'] : []
  const env: Record<string, string> = isPermitted ? {} : { NODE_OPTIONS: `--import=${pathToFileURL(preload)}` }
  return {
    how: isPermitted ? 'a namespace of its own without any (unshare -n)' : 'a preload that refuses every connection',
    prefix,
    env,
    run: (args, cwd, own) => {
      const command = [...prefix, 'npx', '--no-install', 'ashlar', ...args]
      return timed(command[0] as string, command.slice(1), cwd, { ...own, ...env }, false)
    },
  }
}

/** Whether a program under the denial has a network. Only the refusal itself counts as none: a probe that breaks proves nothing. */
function canConnect({ prefix, env }: Denial): boolean {
  const probe = `const isRefusal = (error) => error.code === 'ENETUNREACH' || error.message === 'The network is denied.'
    try {
      require('node:net').connect({ host: '192.0.2.1', port: 80, timeout: 2000 })
        .on('connect', () => process.exit(0)).on('timeout', () => process.exit(3))
        .on('error', (error) => process.exit(isRefusal(error) ? 4 : 3))
    } catch (error) { process.exit(isRefusal(error) ? 4 : 3) }`
  const command = [...prefix, process.execPath, '-e', probe]
  // With a network this address, which is nobody's, is never answered; without one the system says so at once.
  return spawnSync(command[0] as string, command.slice(1), { env: { ...process.env, ...env } }).status !== 4
}

/** What a search finds, asked in the same way as a person would, behind what denies the network where there is something. */
function hits(cwd: string, env: Readonly<Record<string, string>>, prefix: readonly string[]): string[] {
  const { stdout } = ashlar(['search', question, '--json'], cwd, env, prefix)
  return (JSON.parse(stdout) as { hits: { document: { id: string } }[] }).hits.map(({ document }) => document.id)
}

function ashlar(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  prefix: readonly string[] = [],
): { readonly stdout: string } {
  const [command = '', ...rest] = [...prefix, process.execPath, join(cwd, 'node_modules/ashlar-server/dist/bin.js'), ...args]
  return run(command, rest, cwd, env)
}

function timed(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  counts: boolean,
): Step {
  const shown = [command, ...args.map((arg) => (/[\s"]/.test(arg) ? JSON.stringify(arg) : arg))].join(' ')
  progress.step(shown)
  const began = performance.now()
  const { stdout } = run(command, args, cwd, env)
  const step = { command: shown, seconds: (performance.now() - began) / 1000, counts }
  steps.push(step)
  if (!values.json && args.includes('search')) process.stderr.write(`${stdout.split('\n').slice(0, 6).join('\n')}\n`)
  return step
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): { readonly stdout: string } {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return { stdout }
}
