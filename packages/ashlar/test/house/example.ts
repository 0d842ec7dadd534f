/** One program found in the documentation, and what it says it prints. */
export interface Example {
  /** Path of the file it stands in. */
  readonly path: string
  /** Line of its first line of code, from 1. */
  readonly line: number
  readonly code: string
  /** The lines it must print; empty when it promises none, and then it must print none. */
  readonly prints: readonly string[]
  /** Why it is compiled but not run; set by the info string `ts no-run <reason>`. */
  readonly notRun?: string
  /** Why it is neither compiled nor run: code of another library, shown for comparison; set by `ts not-ours <reason>`. */
  readonly notOurs?: string
  /** What is wrong with the example as documentation, before anything is run. */
  readonly fault?: string
}

interface Fence {
  readonly info: string
  /** Index of the first line inside. */
  readonly first: number
  readonly lines: readonly string[]
  /** Index of the line after the closing one. */
  readonly after: number
}

const opening = /^( *)(`{3,}|~{3,})(.*)$/

function* fences(lines: readonly string[]): Generator<Fence> {
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', marks = '', info = ''] = opening.exec(lines[at] ?? '') ?? []
    if (marks === '') continue
    const first = at + 1
    const closing = new RegExp(`^ *${marks[0]}{${marks.length},} *$`)
    for (at = first; at < lines.length && !closing.test(lines[at] ?? ''); ) at++
    const inside = lines.slice(first, at).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    yield { info: info.trim(), first, lines: inside, after: at + 1 }
  }
}

/** Joins what the comments `// => value` of a program promise, in the order they stand in. */
function promisedInComments(code: readonly string[]): string[] {
  return code.flatMap((line) => /(?:^|\s)\/\/ =>(?: (.*))?$/.exec(line)?.slice(1, 2) ?? []).map((value) => value ?? '')
}

function toExample(path: string, line: number, fence: Fence, output: Fence | undefined): Example {
  const [language, mode, ...reason] = fence.info.split(/\s+/)
  const promised = promisedInComments(fence.lines)
  const example = { path, line, code: fence.lines.join('\n'), prints: output?.lines ?? promised }
  if (language !== 'ts') return { ...example, fault: `mark this block \`ts\`, so that it is run; it says \`${fence.info}\`` }
  if (output !== undefined && promised.length > 0)
    return { ...example, fault: 'says what it prints twice: in comments and in the block below' }
  if (mode === undefined) return example
  if ((mode !== 'no-run' && mode !== 'not-ours') || reason.length === 0)
    return { ...example, fault: 'may only be marked `ts`, `ts no-run <reason>` or `ts not-ours <reason>`' }
  if (mode === 'no-run') return { ...example, notRun: reason.join(' ') }
  const own = /from '(ashlar[^']*)'/.exec(example.code)?.[1]
  return { ...example, notOurs: reason.join(' '), ...(own && { fault: `is marked as not ours, and imports ${own}` }) }
}

function fromLines(path: string, lines: readonly string[], offset: number): Example[] {
  const all = [...fences(lines)]
  return all.flatMap((fence, index) => {
    if (!/^(ts|tsx|typescript|js|jsx|javascript|mjs|mts)\b/.test(fence.info)) return []
    const next = all[index + 1]
    const follows = next !== undefined && lines.slice(fence.after, next.first - 1).every((line) => line.trim() === '')
    const output = follows && (next.info === '' || next.info === 'text') ? next : undefined
    return [toExample(path, offset + fence.first + 1, fence, output)]
  })
}

/** Finds the programs of a markdown file: its `ts` fences, with the output fence (`text` or none) directly below each. */
export function examplesInMarkdown(path: string, text: string): Example[] {
  return fromLines(path, text.split(/\r?\n/), 0)
}

/** Finds the programs in the doc comments of a TypeScript file: fences anywhere in them, and what stands bare under `@example`. */
export function examplesInDocComments(path: string, text: string): Example[] {
  return [...text.matchAll(/^[ \t]*\/\*\*[\s\S]*?\*\//gm)].flatMap((comment) => {
    const offset = text.slice(0, comment.index).split('\n').length - 1
    const lines = comment[0]
      .replace(/\*\/$/, '')
      .split(/\r?\n/)
      .map((line) => line.replace(/^\s*\/?\*{1,2} ?/, ''))
    return [...fromLines(path, lines, offset), ...bareExamples(path, lines, offset)].sort((a, b) => a.line - b.line)
  })
}

function bareExamples(path: string, lines: readonly string[], offset: number): Example[] {
  const found: Example[] = []
  for (let at = 0; at < lines.length; at++) {
    if (!/^@example\b/.test(lines[at] ?? '')) continue
    let end = at + 1
    while (end < lines.length && !/^@\w/.test(lines[end] ?? '')) end++
    const code = lines.slice(at + 1, end)
    if (code.some((line) => opening.test(line))) continue
    const first = code.findIndex((line) => line.trim() !== '')
    const kept = code.slice(Math.max(first, 0)).join('\n').trimEnd()
    const fault = kept === '' ? { fault: 'is empty: put the program below `@example`' } : {}
    found.push({ path, line: offset + at + 2 + Math.max(first, 0), code: kept, prints: promisedInComments(code), ...fault })
  }
  return found
}
