import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bootstrap, comparePaired, signTest } from '../../src/evaluation/bootstrap.ts'
import { seededRandom } from '../../src/evaluation/seeded-random.ts'

describe('sign test', () => {
  test('tables of the binomial distribution', () => {
    expect(signTest(0, 0)).toBe(1)
    expect(signTest(5, 0)).toBe(2 / 32)
    expect(signTest(2, 8)).toBeCloseTo((2 * (1 + 10 + 45)) / 1024, 12)
    expect(signTest(7, 7)).toBe(1)
    expect(signTest(60, 40)).toBeCloseTo(0.0569, 4)
    // By the normal approximation with its correction: z = (5200 - 4800 - 1) / 100.
    expect(signTest(5200, 4800)).toBeCloseTo(6.6e-5, 6)
    expect(signTest(100_000, 0)).toBe(0)
  })

  test('it does not matter which is which', () => {
    fc.assert(fc.property(fc.nat(300), fc.nat(300), (one, two) => signTest(one, two) === signTest(two, one)))
  })
})

describe('bootstrap', () => {
  test('the same values and seed give the same interval, another seed a like one', () => {
    const random = seededRandom(7)
    const values = Array.from({ length: 400 }, () => random())
    const first = bootstrap(values)
    expect(bootstrap(values)).toEqual(first)
    const other = bootstrap(values, { seed: 2 })
    expect(other).not.toEqual(first)
    expect(Math.abs(other.low - first.low)).toBeLessThan(0.003)
  })

  test('the interval of a mean is that of the normal distribution', () => {
    // 200 zeros and 200 ones: the standard error is .5 / sqrt(400) = .025.
    const values = Array.from({ length: 400 }, (_, at) => at % 2)
    const { mean, low, high } = bootstrap(values, { rounds: 20_000 })
    expect(mean).toBe(0.5)
    expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2)
    expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2)
    const wide = bootstrap(values, { level: 0.99 })
    expect(wide.high - wide.low).toBeGreaterThan(high - low)
  })

  test('values that say the same thing together count once', () => {
    const each = Array.from({ length: 20 }, (_, at) => at % 2)
    const repeated = each.flatMap((value) => Array.from({ length: 50 }, () => value))
    const clusters = each.flatMap((_, at) => Array.from({ length: 50 }, () => `talk ${at}`))
    const alone = bootstrap(each)
    const blind = bootstrap(repeated)
    const seeing = bootstrap(repeated, { clusters })
    expect(seeing).toEqual(alone)
    expect(blind.high - blind.low).toBeLessThan((seeing.high - seeing.low) / 5)
  })

  test('95 of 100 intervals hold the true mean', () => {
    const random = seededRandom(3)
    let held = 0
    for (let sample = 0; sample < 400; sample++) {
      const values = Array.from({ length: 60 }, () => random())
      const { low, high } = bootstrap(values, { rounds: 400, seed: sample })
      if (low <= 0.5 && 0.5 <= high) held++
    }
    expect(held / 400).toBeGreaterThan(0.91)
    expect(held / 400).toBeLessThan(0.98)
  })

  test('what cannot be estimated is refused', () => {
    expect(() => bootstrap([])).toThrow(/values is empty/)
    expect(() => bootstrap([1], { clusters: [] })).toThrow(/1 values and 0 clusters/)
    expect(() => bootstrap([1], { rounds: 0 })).toThrow(/rounds/)
    expect(() => bootstrap([1], { level: 1 })).toThrow(/level/)
    expect(() => comparePaired([1], [1, 2])).toThrow(/1 scores of one and 2 of the other/)
  })
})

test('a comparison counts who does better, and is its own mirror', () => {
  const first = [0.1, 0.5, 0.3, 0.3, 0.1 + 0.2]
  const second = [0.2, 0.4, 0.9, 0.3, 0.3]
  const { difference, better, worse, equal, p } = comparePaired(first, second)
  expect([better, worse, equal, p]).toEqual([2, 1, 2, 1])
  expect(difference.mean).toBeCloseTo(0.12, 12)
  expect(difference.low).toBeLessThan(0)
  expect(comparePaired(second, first).difference.mean).toBeCloseTo(-0.12, 12)
})

test('seeded numbers are evenly spread, and the same for ever', () => {
  const random = seededRandom(1)
  const counts = new Uint32Array(10)
  for (let draw = 0; draw < 100_000; draw++) counts[Math.floor(random() * 10)]!++
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400)
  const again = seededRandom(1)
  expect([again(), again(), again()].map((number) => number.toFixed(6))).toEqual(['0.367876', '0.081613', '0.820536'])
})
