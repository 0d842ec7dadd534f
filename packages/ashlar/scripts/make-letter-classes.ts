/**
 * Writes `src/text/letter-class-data.ts`: the Unicode classes that OpenAI's pre-tokenizers look at, as tiktoken knows them.
 *
 * The runtime's own `\p{L}` follows the runtime's Unicode version (Node 24 has 17, tiktoken 1.0.22 has 16), which would make
 * a count depend on the machine. So the classes are read out of tiktoken itself: a vocabulary of the 256 bytes and a pattern that
 * matches one class return exactly the code points of that class.
 *
 *     node packages/ashlar/scripts/make-letter-classes.ts
 */
import { writeFileSync } from 'node:fs'
import { Tiktoken } from 'tiktoken'

const classes: readonly (readonly [code: number, pattern: string])[] = [
  [1, '\\s'],
  [2, '[\\r\\n]'],
  [3, '\\p{N}'],
  [4, '\\p{M}'],
  [5, '\\p{Ll}'],
  [6, '[\\p{Lu}\\p{Lt}]'],
  [7, '[\\p{Lm}\\p{Lo}]'],
]

const singleBytes = `! 0 ${Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString('base64')).join(' ')}`
const table = new Uint8Array(0x110000)
for (const [code, pattern] of classes) {
  const encoding = new Tiktoken(singleBytes, {}, pattern)
  for (let page = 0; page < 0x110000; page += 0x2000) {
    let text = ''
    for (let point = page; point < page + 0x2000; point++)
      if (point < 0xd800 || point > 0xdfff) text += String.fromCodePoint(point)
    for (const sign of Buffer.from(Uint8Array.from(encoding.encode(text, [], []))).toString('utf8')) {
      table[sign.codePointAt(0) ?? 0] = code
    }
  }
  encoding.free()
}

// Runs of one class, written as class digit (the position of its bit) and run length in base 36; a run of upper, lower, upper, lower … is written `8` and its length.
const runs: string[] = []
let at = 0
const runEnd = (from: number): number => {
  let end = from
  while (end < 0x110000 && table[end] === table[from]) end++
  return end
}
while (at < 0x110000) {
  let alternating = at
  while (
    table[alternating] === 6 &&
    table[alternating + 1] === 5 &&
    runEnd(alternating) === alternating + 1 &&
    runEnd(alternating + 1) === alternating + 2
  ) {
    alternating += 2
  }
  const end = alternating - at >= 4 ? alternating : runEnd(at)
  const code = alternating - at >= 4 ? 8 : (table[at] ?? 0)
  if (end < 0x110000 || code !== 0) runs.push(`${code}${(end - at).toString(36)}`)
  at = end
}
const lines: string[] = []
for (const run of runs) {
  const last = lines.at(-1)
  if (last === undefined || last.length + run.length > 118) lines.push(run)
  else lines[lines.length - 1] = `${last} ${run}`
}
writeFileSync(
  new URL('../src/text/letter-class-data.ts', import.meta.url),
  `// Written by scripts/make-letter-classes.ts from tiktoken 1.0.22 (Unicode 16). Do not edit.

/** Runs of one class from U+0000 on: a class digit and a length in base 36. See \`letter-class.ts\`. */
export const letterClassRuns: string =
${lines.map((line, index) => `  '${line}${index === lines.length - 1 ? '' : ' '}'`).join(' +\n')}
`,
)
