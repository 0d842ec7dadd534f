import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const program = fileURLToPath(new URL('../watcher.ts', import.meta.url))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-watcher-'))
  await mkdir(join(folder, 'documents'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const file = (name: string): string => join(folder, 'documents', name)

/** The program, and what it has said since it was last listened to. */
class Watcher {
  readonly #child: ChildProcessWithoutNullStreams
  readonly ended: Promise<{ readonly exit: number | null; readonly signal: string | null }>
  #heard = ''
  #errors = ''

  constructor() {
    this.#child = spawn(process.execPath, [program, 'documents', 'library.db'], { cwd: folder })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#heard += text
    })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text
    })
    this.ended = new Promise((resolve) => this.#child.once('close', (exit, signal) => resolve({ exit, signal })))
  }

  /** Waits until it has said something, and takes all up to there. */
  async until(pattern: RegExp): Promise<string> {
    for (let waited = 0; ; waited += 20) {
      const found = pattern.exec(this.#heard)
      if (found !== null) {
        const end = found.index + found[0].length
        const said = this.#heard.slice(0, end)
        this.#heard = this.#heard.slice(end)
        return said
      }
      if (waited > 40_000 || this.#child.exitCode !== null)
        throw new Error(`It never said ${pattern}, but:\n${this.#heard}\n${this.#errors}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async search(question: string): Promise<string> {
    this.#child.stdin.write(`${question}\n`)
    return this.until(/^\.\n/m)
  }

  terminate(): Promise<{ readonly exit: number | null; readonly signal: string | null }> {
    this.#child.kill('SIGTERM')
    return this.ended
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

test('search follows what happens in the folder, and what happened while nobody watched', async () => {
  await writeFile(file('mortar.md'), '# Mortar\n\nLime mortar hardens slowly and forgives movement.\n')
  let watcher = new Watcher()
  try {
    await watcher.until(/Watching documents\.\n/)
    expect(await watcher.search('hardens slowly')).toContain('= mortar.md')

    await writeFile(file('slates.md'), '# Slates\n\nSlates are hung from battens with copper nails.\n')
    await watcher.until(/\+ slates\.md \(new\)\n/)
    expect(await watcher.search('copper nails')).toContain('= slates.md')

    await writeFile(file('slates.md'), '# Slates\n\nSlates are hung from battens with stainless hooks.\n')
    await watcher.until(/\+ slates\.md \(changed\)\n/)
    const edited = await watcher.search('hung from battens')
    expect(edited).toContain('stainless hooks')
    expect(edited).not.toContain('copper nails')

    await mkdir(file('roofs'))
    await rename(file('slates.md'), file('roofs/covering.md'))
    await watcher.until(/\+ roofs\/covering\.md \(moved\)\n- slates\.md\n/)
    const moved = await watcher.search('stainless hooks')
    expect(moved).toContain('= roofs/covering.md')
    expect(moved).not.toContain('= slates.md')

    await rm(file('mortar.md'))
    await watcher.until(/- mortar\.md\n/)
    expect(await watcher.search('"hardens slowly and forgives movement"')).not.toContain('= mortar.md')

    expect(await watcher.terminate()).toEqual({ exit: 0, signal: null })

    await writeFile(file('quoins.txt'), 'Quoins are dressed stones at the corner of a wall.\n')
    watcher = new Watcher()
    const beginning = await watcher.until(/Watching documents\.\n/)
    expect(beginning).toContain('+ quoins.txt (new)')
    expect(beginning).not.toContain('covering.md')
    expect(await watcher.search('dressed stones at the corner')).toContain('= quoins.txt')
    expect(await watcher.terminate()).toEqual({ exit: 0, signal: null })
  } finally {
    watcher.kill()
  }
})
