import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { AshlarError, isAshlarError } from '../../error/ashlar-error.ts'
import { compareByCodePoint } from '../../store/code-point-order.ts'
import type { Metadata } from '../../store/filter.ts'
import type { Source, SourceGap, SourceItem, ThreadSource } from '../source.ts'
import { askFiles } from './file-threads.ts'
import { globMatcher } from './glob.ts'
import { type IgnoreRules, ignoreRules, isIgnored } from './ignore-rules.ts'
import { readFileBytes } from './read-file.ts'

/** Which files of a folder are documents. */
export interface FolderOptions {
  /** Patterns of files to take: `**\/*.md`, `docs/**`. @default all files */
  readonly include?: readonly string[]
  /** Patterns of files and folders to leave out, stronger than `include`. @default none */
  readonly exclude?: readonly string[]
  /** Leaves out what `.gitignore` files in the folder say. @default false */
  readonly gitignore?: boolean
  /** Takes files and folders whose names begin with a dot; `.git` never is. @default false */
  readonly hidden?: boolean
  /** Most bytes of a file; larger ones are reported. @default 268435456 */
  readonly maxBytes?: number
  /** Names the set of documents in the store. Give one where the folder may be moved. @default `file:` and the folder's path */
  readonly root?: string
  /** Put before each path in ids, such as `handbook/`. @default none */
  readonly prefix?: string
  /** Metadata for a file, by its id. @default none */
  readonly metadata?: (id: string) => Metadata | undefined
}

/** Files that are looked up together. */
const group = 256

/**
 * The files of a folder and of the folders in it, in the order of their paths.
 *
 * Links to files are followed as long as they lead to a file in the folder; links to folders are not, since what they lead to is listed
 * where it is. A folder that cannot be read is reported, and nothing in it is taken for gone.
 *
 * @throws AshlarError `INVALID_OPTION` for a pattern that is none.
 */
export function folderSource(path: string, options: FolderOptions = {}): Source {
  return new FolderSource(path, options)
}

class FolderSource implements Source {
  readonly root: string
  readonly sorted: boolean = true
  /** Where it is, for who watches it. */
  readonly path: string
  readonly #options: FolderOptions
  readonly #includes: readonly ((path: string) => boolean)[] | undefined
  readonly #excludes: readonly ((path: string) => boolean)[]
  readonly #maxBytes: number
  readonly #prefix: string
  readonly #paths = new WeakMap<SourceItem, string>()

  constructor(path: string, options: FolderOptions) {
    this.path = resolve(path)
    this.root = options.root ?? `file:${this.path.split(sep).join('/')}`
    this.#options = options
    this.#includes = options.include?.map(globMatcher)
    this.#excludes = (options.exclude ?? []).map(globMatcher)
    this.#maxBytes = options.maxBytes ?? 268_435_456
    this.#prefix = options.prefix ?? ''
  }

  async *list(signal?: AbortSignal): AsyncGenerator<SourceItem | SourceGap, void, undefined> {
    const base = await this.#base()
    let found: { readonly id: string; readonly path: string }[] = []
    for await (const entry of this.#walk(base, '', undefined, signal)) {
      if ('gap' in entry) {
        yield* await this.#items(found)
        found = []
        yield entry
        continue
      }
      found.push(entry)
      if (found.length < group) continue
      yield* await this.#items(found)
      found = []
    }
    yield* await this.#items(found)
  }

  async has(id: string): Promise<boolean> {
    if (!id.startsWith(this.#prefix)) return false
    const path = id.slice(this.#prefix.length)
    const parts = path.split('/')
    if (parts.some((part) => part === '' || part === '.' || part === '..')) return false
    try {
      const base = await this.#base()
      let rules = await this.#rules(base, '', undefined)
      for (const [at] of parts.entries()) {
        const own = parts.slice(0, at + 1).join('/')
        const isFolder = at < parts.length - 1
        if (!this.#takes(own, isFolder, rules)) return false
        if (isFolder) {
          if (!(await lstat(join(base, own))).isDirectory()) return false
          rules = await this.#rules(base, `${own}/`, rules)
        }
      }
      const whole = join(base, path)
      const facts = await lstat(whole)
      return facts.isFile() || (facts.isSymbolicLink() && (await linkedFile(whole, base)) !== undefined)
    } catch {
      return false
    }
  }

  async hash(items: readonly SourceItem[], signal?: AbortSignal): Promise<readonly (string | AshlarError)[]> {
    signal?.throwIfAborted()
    const paths = items.map((item) => this.#paths.get(item) ?? '')
    // Several requests, so that several threads share one group.
    const share = Math.max(32, Math.ceil(items.length / 2))
    const shares: string[][] = []
    for (let from = 0; from < paths.length; from += share) shares.push(paths.slice(from, from + share))
    const answers = (await Promise.all(shares.map((some) => askFiles('hash', some)))).flat()
    return answers.map((answer, at) => (typeof answer === 'string' ? answer : unreadable(items[at]?.source ?? '', answer)))
  }

  forThread(): ThreadSource | undefined {
    const { metadata, include, exclude, gitignore, hidden, maxBytes, prefix } = this.#options
    if (metadata !== undefined) return undefined
    return {
      kind: 'folder',
      path: this.path,
      options: { include, exclude, gitignore, hidden, maxBytes, prefix, root: this.root },
    }
  }

  async #base(): Promise<string> {
    try {
      const base = await realpath(this.path)
      if ((await stat(base)).isDirectory()) return base
    } catch (cause) {
      throw new AshlarError('SOURCE_FAILED', `The folder ${this.path} cannot be read: ${(cause as Error).message}`, {
        cause,
        details: { path: this.path, retryable: true },
      })
    }
    throw new AshlarError('SOURCE_FAILED', `${this.path} is not a folder.`, { details: { path: this.path, retryable: false } })
  }

  /** Entries of a folder in the order of whole paths: a folder's name counts with the slash after it. */
  async *#walk(
    base: string,
    folder: string,
    above: IgnoreRules | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<{ readonly id: string; readonly path: string } | SourceGap, void, undefined> {
    signal?.throwIfAborted()
    let entries: Dirent[]
    let rules: IgnoreRules | undefined
    try {
      entries = await readdir(join(base, folder), { withFileTypes: true })
      rules = await this.#rules(base, folder, above, entries)
    } catch (error) {
      yield {
        gap: this.#prefix + folder,
        within: true,
        error: unreadable(`file:${folder}`, { failure: (error as Error).message }),
      }
      return
    }
    const named = entries.map((entry) => ({ entry, name: entry.isDirectory() ? `${entry.name}/` : entry.name }))
    for (const { entry, name } of named.sort((left, right) => compareByCodePoint(left.name, right.name))) {
      const own = folder + name
      const isFolder = entry.isDirectory()
      if (!this.#takes(isFolder ? own.slice(0, -1) : own, isFolder, rules)) continue
      if (isFolder) yield* this.#walk(base, own, rules, signal)
      else if (entry.isFile()) yield { id: own, path: join(base, own) }
      else if (entry.isSymbolicLink()) {
        const target = await linkedFile(join(base, own), base)
        if (target !== undefined) yield { id: own, path: target }
      }
    }
  }

  /** Whether a file is a document, or a folder may hold some. */
  #takes(path: string, isFolder: boolean, rules: IgnoreRules | undefined): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name === '.git' || (this.#options.hidden !== true && name.startsWith('.'))) return false
    if (this.#excludes.some((matches) => matches(path) || (isFolder && matches(`${path}/`)))) return false
    if (isIgnored(path, isFolder, rules)) return false
    return isFolder || this.#includes === undefined || this.#includes.some((matches) => matches(path))
  }

  async #rules(
    base: string,
    folder: string,
    above: IgnoreRules | undefined,
    entries?: readonly Dirent[],
  ): Promise<IgnoreRules | undefined> {
    if (this.#options.gitignore !== true) return undefined
    if (entries !== undefined && !entries.some(({ name }) => name === '.gitignore')) return above
    try {
      return ignoreRules(await readFile(join(base, folder, '.gitignore'), 'utf8'), folder, above)
    } catch (error) {
      if ((error as { readonly code?: string }).code === 'ENOENT') return above
      throw error
    }
  }

  async #items(found: readonly { readonly id: string; readonly path: string }[]): Promise<readonly (SourceItem | SourceGap)[]> {
    const facts = await askFiles(
      'stat',
      found.map(({ path }) => path),
    )
    return found.flatMap(({ id: own, path }, at): (SourceItem | SourceGap)[] => {
      const fact = facts[at]
      // It was there a moment ago and is not any more.
      if (!Array.isArray(fact)) return []
      const [size, modified] = fact as readonly [number, number]
      const id = this.#prefix + own
      const source = `file:${id}`
      if (size > this.#maxBytes) return [{ gap: id, within: false, error: tooLarge(source, size, this.#maxBytes) }]
      const metadata = this.#options.metadata?.(id)
      const item: SourceItem = {
        id,
        source,
        name: own,
        size,
        modified,
        ...(metadata !== undefined && { metadata }),
        read: (signal) => readItem(path, source, this.#maxBytes, signal),
      }
      this.#paths.set(item, path)
      return [item]
    })
  }
}

async function readItem(path: string, source: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
  try {
    return await readFileBytes(path, maxBytes, signal)
  } catch (error) {
    signal?.throwIfAborted()
    throw isAshlarError(error) ? error : unreadable(source, { failure: (error as Error).message })
  }
}

/** Where a link leads, if that is a file in the folder. */
async function linkedFile(link: string, base: string): Promise<string | undefined> {
  try {
    const target = await realpath(link)
    const inside = relative(base, target)
    if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined
    return (await stat(target)).isFile() ? target : undefined
  } catch {
    return undefined
  }
}

function unreadable(source: string, answer: unknown): AshlarError {
  const { failure = 'nothing was answered' } = (answer ?? {}) as { readonly failure?: string }
  return new AshlarError('SOURCE_FAILED', `${source} cannot be read: ${failure}`, { details: { source, retryable: true } })
}

function tooLarge(source: string, bytes: number, limit: number): AshlarError {
  return new AshlarError('FILE_TOO_LARGE', `${source} has ${bytes} bytes, and ${limit} are allowed.`, {
    details: { source, bytes, limit },
  })
}
