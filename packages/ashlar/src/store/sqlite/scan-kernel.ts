import { assembleModule, type Code, wasm } from '../../vector/wasm-assembler.ts'
import { instantiate, type WasmMemory } from '../../vector/wasm-memory.ts'

/** Codes that are looked at together: as many as a register has bytes. */
export const groupSize = 16

/**
 * Scores codes as they lie in the memory: the factors of {@link ScanLayout.capacity} vectors, their offsets, and then groups of sixteen
 * codes, byte by byte: first the sixteen first bytes, then the second ones. Codes 0 to 7 of a group have the even places, 8 to 15 the
 * odd ones.
 *
 * For each half of a byte the query has a table of sixteen numbers below 128 that lies in one register: looking sixteen codes up is one
 * instruction. The score of a code whose numbers add up to `sum` is `base + factor * (sum * scale + shift) + along * offset`, at least 1.
 */
export type ScanKernel = (
  block: number,
  groups: number,
  bytes: number,
  tables: number,
  scores: number,
  scale: number,
  shift: number,
  base: number,
  along: number,
) => void

/** What the kernel is made for. */
export interface ScanLayout {
  /** Vectors that a block has room for. */
  readonly capacity: number
  /** The highest score there is. */
  readonly most: number
}

/** Assembles the kernel on a memory. Every runtime that has `node:sqlite` has the instructions that it needs. */
export function openScanKernel(memory: WasmMemory, layout: ScanLayout): ScanKernel {
  const bytes = assembleModule(
    ['i32', 'i32', 'i32', 'i32', 'i32', 'f32', 'f32', 'f32', 'f32'],
    ['i32', 'i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128'],
    kernelBody(layout),
  )
  return instantiate(bytes, memory) as ScanKernel
}

function kernelBody({ capacity, most }: ScanLayout): Code {
  const { get, set, loop, branchIf, i32, v128, i8x16, i16x8, i32x4, f32, f32x4 } = wasm
  const [block, groups, bytes, tables, scores, scale, shift, base, along] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
  const [codes, last, table, end, byte, both, low, high] = [9, 10, 11, 12, 13, 14, 15, 16] as const

  /** Both halves of a byte of sixteen codes, added up: below 256. The sums are kept in 16 bits, of even and odd places apart. */
  const addByte = [
    set(byte, v128.load(get(codes), 0)),
    set(
      both,
      i8x16.add(
        i8x16.swizzle(v128.load(get(table), 0), v128.and(get(byte), i8x16.splat(i32.const(15)))),
        i8x16.swizzle(v128.load(get(table), 16), i8x16.shiftRightUnsigned(get(byte), 4)),
      ),
    ),
    set(low, i16x8.add(get(low), get(both))),
    set(high, i16x8.add(get(high), i16x8.shiftRightUnsigned(get(both), 8))),
    set(codes, i32.add(get(codes), i32.const(groupSize))),
    set(table, i32.add(get(table), i32.const(32))),
  ]

  /** Scores of four sums whose factors lie `at` bytes behind the first of the group. */
  const score = (sums: Code, at: number): Code => {
    const factor = v128.load(get(block), at)
    const offset = v128.load(get(block), 4 * capacity + at)
    const signs = f32x4.add(f32x4.mul(f32x4.convertUnsigned(sums), f32x4.splat(get(scale))), f32x4.splat(get(shift)))
    const rest = f32x4.add(f32x4.mul(offset, f32x4.splat(get(along))), f32x4.splat(get(base)))
    const sum = f32x4.add(f32x4.mul(factor, signs), rest)
    return i32x4.truncateUnsigned(f32x4.min(f32x4.max(sum, f32x4.splat(f32.const(1))), f32x4.splat(f32.const(most))))
  }
  const eightScores = (sums: Code, at: number): Code =>
    i16x8.narrowUnsigned(score(i32x4.extendLowUnsigned(sums), at), score(i32x4.extendHighUnsigned(sums), at + 16))

  return [
    set(codes, i32.add(get(block), i32.const(8 * capacity))),
    set(last, i32.add(get(codes), i32.mul(get(groups), i32.mul(get(bytes), i32.const(groupSize))))),
    loop([
      set(low, v128.zero),
      set(high, v128.zero),
      set(table, get(tables)),
      set(end, i32.add(get(codes), i32.mul(get(bytes), i32.const(groupSize)))),
      loop([addByte, branchIf(0, i32.lessUnsigned(get(codes), get(end)))]),
      // The sums of even places were added up with 256 times those of the odd ones.
      set(low, i16x8.sub(get(low), i16x8.shiftLeft(get(high), 8))),
      v128.store(get(scores), 0, eightScores(get(low), 0)),
      v128.store(get(scores), 16, eightScores(get(high), 32)),
      set(block, i32.add(get(block), i32.const(4 * groupSize))),
      set(scores, i32.add(get(scores), i32.const(2 * groupSize))),
      branchIf(0, i32.lessUnsigned(get(codes), get(last))),
    ]),
  ]
}
