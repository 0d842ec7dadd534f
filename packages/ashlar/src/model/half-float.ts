/** What each exponent of a half-precision number is worth, for a significand counted in units of its last place. */
const units: Float64Array = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (Math.max(exponent, 1) - 25))

/** The number that 16 bits stand for in IEEE 754 half precision, exactly. */
export function halfFloat(bits: number): number {
  const exponent = (bits >>> 10) & 0x1f
  const fraction = bits & 0x3ff
  const sign = (bits & 0x8000) === 0 ? 1 : -1
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (exponent === 0 ? fraction : fraction | 0x400) * (units[exponent] as number)
}
