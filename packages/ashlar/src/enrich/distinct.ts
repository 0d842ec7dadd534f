/** The texts without those that only repeat an earlier one, upper and lower case being the same. */
export function distinct(texts: readonly string[]): string[] {
  const seen = new Set<string>()
  return texts.filter((text) => {
    const folded = text.toLowerCase()
    if (seen.has(folded)) return false
    seen.add(folded)
    return true
  })
}
