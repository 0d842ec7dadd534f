/** Distinct numbers in rising order; the same array where they are that already, as most are. */
export function risingIds(ids: Uint32Array): Uint32Array {
  if (isRising(ids)) return ids
  const sorted = ids.toSorted()
  let length = 0
  for (let at = 0; at < sorted.length; at++) {
    if (at > 0 && sorted[at] === sorted[at - 1]) continue
    sorted[length++] = sorted[at] as number
  }
  return sorted.slice(0, length)
}

function isRising(ids: Uint32Array): boolean {
  for (let at = 1; at < ids.length; at++) if ((ids[at - 1] as number) >= (ids[at] as number)) return false
  return true
}
