/** Units of a string that are compared as one number, seven bits each. */
const prefixLength = 5

/** The most strings whose places fit beside their beginnings in one exact number. */
const mostPacked = 2 ** (53 - 7 * prefixLength)

/**
 * Places of distinct strings in the order of the strings, by code unit as `sort` has them.
 *
 * Numbers are sorted much faster than strings: how a string begins and its place make one number, and only strings that begin alike are
 * compared.
 */
export function sortedPlaces(strings: readonly string[]): Uint32Array {
  const places = new Uint32Array(strings.length)
  if (strings.length > mostPacked) {
    for (let at = 0; at < places.length; at++) places[at] = at
    return places.sort((one, other) => compare(strings, one, other))
  }
  const packed = new Float64Array(strings.length)
  for (let at = 0; at < packed.length; at++) packed[at] = beginning(strings[at] as string) * mostPacked + at
  packed.sort()
  for (let from = 0; from < packed.length; ) {
    const prefix = Math.floor((packed[from] as number) / mostPacked)
    let after = from
    for (; after < packed.length && Math.floor((packed[after] as number) / mostPacked) === prefix; after++)
      places[after] = (packed[after] as number) - prefix * mostPacked
    if (after - from > 1) places.subarray(from, after).sort((one, other) => compare(strings, one, other))
    from = after
  }
  return places
}

/** Never rises from a string to one that comes before it. What follows a unit beyond ASCII is left out: the unit itself is not told. */
function beginning(text: string): number {
  let value = 0
  let isTold = true
  for (let at = 0; at < prefixLength; at++) {
    const code = isTold && at < text.length ? text.charCodeAt(at) : 0
    if (code > 126) isTold = false
    value = value * 128 + Math.min(code, 127)
  }
  return value
}

function compare(strings: readonly string[], one: number, other: number): number {
  return (strings[one] as string) < (strings[other] as string) ? -1 : 1
}
