import type { Counter } from '../text/counter.ts'
import { codePointEnd, isGraphemeBoundary } from '../text/grapheme.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'

/** The sizes that a tree was asked for. */
export interface TreeSettings {
  readonly child: number
  readonly parent: number
  readonly section: number
  readonly counter: Counter
}

/** One way in which a tree breaks a law. */
export interface TreeViolation {
  readonly law: 'slice' | 'partition' | 'nesting' | 'fit' | 'unicode' | 'stability'
  readonly message: string
}

/**
 * What the laws of the tree have against one: every piece is an exact slice; the own parts of each level, one after the other, are the
 * source; each piece is made of whole pieces of the level below; nothing exceeds its size, a single code point or CRLF apart; no cut
 * falls into a grapheme cluster that fits; no two pieces of a level share an id.
 */
export function checkTree(tree: Tree, settings: TreeSettings): TreeViolation[] {
  const violations: TreeViolation[] = []
  const report = (law: TreeViolation['law'], message: string): void => {
    if (violations.length < 20) violations.push({ law, message })
  }
  const levels = [
    ['child', tree.children],
    ['parent', tree.parents],
    ['section', tree.sections],
  ] as const
  for (const [level, pieces] of levels) checkLevel(tree.text, level, pieces, settings, report)
  checkNesting('parent', tree.parents, tree.children, report)
  checkNesting('section', tree.sections, tree.parents, report)
  return violations
}

type Report = (law: TreeViolation['law'], message: string) => void

function checkLevel(
  source: string,
  level: 'child' | 'parent' | 'section',
  pieces: readonly TreePiece[],
  settings: TreeSettings,
  report: Report,
): void {
  const ids = new Set<string>()
  let at = 0
  for (const [index, { start, end, lead, text, id, index: place }] of pieces.entries()) {
    const name = `${level} ${index}`
    if (place !== index) report('nesting', `${name} says that it is ${place}`)
    if (source.slice(start, end) !== text) report('slice', `${name} is not the slice [${start}, ${end})`)
    if (start + lead !== at) report('partition', `the own part of ${name} starts at ${start + lead} and not at ${at}`)
    if (end <= at) report('partition', `${name} has no own part`)
    at = end
    ids.add(id)
    const counted = settings.counter(text)
    if (counted > settings[level] && !isSmallest(source, start, end)) {
      report('fit', `${name} counts ${counted}, over ${settings[level]}`)
    }
    if (isInsideCluster(source, end, settings)) report('unicode', `${name} ends inside a grapheme cluster`)
  }
  if (at !== source.length && source !== '') report('partition', `${level} pieces end at ${at} of ${source.length}`)
  if (ids.size !== pieces.length) report('stability', `${pieces.length} ${level} pieces share ${ids.size} ids`)
}

/** Whether a piece is one code point or one CRLF: nothing smaller can be cut off. */
function isSmallest(source: string, start: number, end: number): boolean {
  return codePointEnd(source, start) >= end
}

/** Clusters longer than this are cut when they do not fit, and are not looked into. */
const longestCluster = 64

function isInsideCluster(source: string, at: number, { child, counter }: TreeSettings): boolean {
  if (at === 0 || at === source.length) return false
  const from = Math.max(0, at - longestCluster)
  if (isGraphemeBoundary(source, at, from)) return false
  // A cluster over the limit has to be cut somewhere.
  let start = at
  while (start > from && !isGraphemeBoundary(source, start, from)) start--
  let end = at
  while (end < source.length && end - start <= longestCluster && !isGraphemeBoundary(source, end, start)) end++
  return end - start <= longestCluster && start > from && counter(source.slice(start, end)) <= child
}

function checkNesting(level: string, pieces: readonly TreePiece[], below: readonly TreePiece[], report: Report): void {
  let next = 0
  for (const [index, piece] of pieces.entries()) {
    const first = below[piece.first]
    const last = below[piece.after - 1]
    if (piece.first !== next || piece.after <= piece.first || first === undefined || last === undefined) {
      report('nesting', `${level} ${index} holds pieces ${piece.first} to ${piece.after}, after ${next}`)
      return
    }
    if (first.start + first.lead !== piece.start || last.end !== piece.end) {
      report('nesting', `${level} ${index} is not made of whole pieces`)
    }
    for (let child = piece.first; child < piece.after; child++) {
      if (below[child]?.above !== index) report('nesting', `piece ${child} under ${level} ${index} stands under another`)
    }
    next = piece.after
  }
  if (next !== below.length) report('nesting', `${below.length - next} pieces stand under no ${level}`)
}
