/** BM25 as a textbook has it, over words without their English endings. Nothing of the library, so that metrics are tested on their own. */
export function plainBm25(texts: readonly string[]): (query: string) => number[] {
  const postings = new Map<string, Map<number, number>>()
  const lengths = texts.map((text, at) => {
    const terms = termsOf(text)
    for (const term of terms) {
      let places = postings.get(term)
      if (places === undefined) {
        places = new Map()
        postings.set(term, places)
      }
      places.set(at, (places.get(at) ?? 0) + 1)
    }
    return terms.length
  })
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  /** Places of the texts, the best first. */
  return (query) => {
    const scores = new Map<number, number>()
    for (const term of termsOf(query)) {
      const places = postings.get(term) ?? new Map<number, number>()
      const rarity = Math.log(1 + (texts.length - places.size + 0.5) / (places.size + 0.5))
      for (const [at, count] of places) {
        const gain = (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * (lengths[at] as number)) / mean))
        scores.set(at, (scores.get(at) ?? 0) + rarity * gain)
      }
    }
    return [...scores].sort(([left, one], [right, other]) => other - one || left - right).map(([at]) => at)
  }
}

function termsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.replace(/(?<=\p{L}{3})(ies|es|s|ing|ed|ly)$/u, ''),
  )
}
