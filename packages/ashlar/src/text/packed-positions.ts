import { AshlarError } from '../error/ashlar-error.ts'
import type { NotebookPart } from './place.ts'
import type { PositionMap } from './position-map.ts'

const parts: readonly NotebookPart[] = ['code', 'markdown', 'raw', 'output']

/** The first character says which kind it is, the second which way of packing. */
const kinds = { p: 'pages', s: 'sheets', n: 'notebook', w: 'paragraphs' } as const

/**
 * A position map as a short text: differences of the starts, seven bits a byte, in base64. A run of spreadsheet rows takes about six
 * bytes whatever its length, a page or a paragraph two or three.
 */
export function packPositions(map: PositionMap): string {
  const out: number[] = []
  switch (map.kind) {
    case 'pages':
    case 'paragraphs':
      rising(out, map.starts)
      return `${map.kind === 'pages' ? 'p' : 'w'}1${toBase64(out)}`
    case 'notebook':
      rising(
        out,
        map.stretches.map(({ start }) => start),
      )
      for (const { cell, part } of map.stretches) write(out, cell * 4 + parts.indexOf(part))
      return `n1${toBase64(out)}`
    case 'sheets':
      write(out, map.names.length)
      for (const name of map.names) {
        const bytes = new TextEncoder().encode(name)
        write(out, bytes.length)
        for (const byte of bytes) out.push(byte)
      }
      rising(out, map.starts)
      rising(
        out,
        map.runs.map(({ start }) => start),
      )
      for (const { sheet, row, rows, column } of map.runs) for (const value of [sheet, row, rows, column]) write(out, value)
      return `s1${toBase64(out)}`
  }
}

/**
 * The position map that was packed.
 *
 * @throws AshlarError `DAMAGED_STORE` where the text was not made by {@link packPositions}.
 */
export function unpackPositions(packed: string): PositionMap {
  const kind = kinds[packed[0] as keyof typeof kinds]
  if (kind === undefined || packed[1] !== '1') throw damaged(packed)
  const reader = new Reader(packed)
  const map = readMap(kind, reader)
  if (!reader.done) throw damaged(packed)
  return map
}

function readMap(kind: PositionMap['kind'], reader: Reader): PositionMap {
  switch (kind) {
    case 'pages':
    case 'paragraphs':
      return { kind, starts: reader.rising() }
    case 'notebook':
      return {
        kind,
        stretches: reader.rising().map((start) => {
          const value = reader.number()
          return { start, cell: Math.floor(value / 4), part: parts[value % 4] as NotebookPart }
        }),
      }
    case 'sheets':
      return {
        kind,
        names: Array.from({ length: reader.count() }, () => reader.text()),
        starts: reader.rising(),
        runs: reader.rising().map((start) => ({
          start,
          sheet: reader.number(),
          row: reader.number(),
          rows: reader.number(),
          column: reader.number(),
        })),
      }
  }
}

function damaged(packed: string): AshlarError {
  return new AshlarError('DAMAGED_STORE', 'The positions of a document cannot be read.', {
    details: { positions: packed.slice(0, 40) },
  })
}

function write(out: number[], value: number): void {
  let rest = value
  while (rest > 127) {
    out.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  out.push(rest)
}

function rising(out: number[], starts: readonly number[]): void {
  write(out, starts.length)
  let before = 0
  for (const start of starts) {
    write(out, start - before)
    before = start
  }
}

function toBase64(bytes: readonly number[]): string {
  let binary = ''
  // Spread arguments are limited, and a call for each byte is slow.
  for (let at = 0; at < bytes.length; at += 4096) binary += String.fromCharCode(...bytes.slice(at, at + 4096))
  return btoa(binary)
}

class Reader {
  readonly #packed: string
  readonly #binary: string
  #at = 0

  constructor(packed: string) {
    this.#packed = packed
    try {
      this.#binary = atob(packed.slice(2))
    } catch {
      throw damaged(packed)
    }
  }

  get done(): boolean {
    return this.#at === this.#binary.length
  }

  byte(): number {
    const value = this.#binary.charCodeAt(this.#at++)
    if (Number.isNaN(value)) throw damaged(this.#packed)
    return value
  }

  number(): number {
    let value = 0
    for (let weight = 1; ; weight *= 128) {
      const byte = this.byte()
      value += (byte & 127) * weight
      if (byte < 128) break
    }
    if (!Number.isSafeInteger(value)) throw damaged(this.#packed)
    return value
  }

  /** A number of things that take at least a byte each, so that damage cannot ask for more than there is. */
  count(): number {
    const value = this.number()
    if (value > this.#binary.length - this.#at) throw damaged(this.#packed)
    return value
  }

  rising(): number[] {
    let before = 0
    return Array.from({ length: this.count() }, () => {
      before += this.number()
      return before
    })
  }

  text(): string {
    const bytes = Uint8Array.from({ length: this.count() }, () => this.byte())
    return new TextDecoder().decode(bytes)
  }
}
