/** Places that rise in a few runs, and counts beside them. */
interface Runs {
  places: Uint32Array
  counts: Uint32Array
  readonly length: number
}

/** Sorts places that are a few rising runs, one after the other, with their counts: neighbours are merged until one run is left. */
export function sortRuns(list: Runs): void {
  const { length } = list
  let starts = runsOf(list)
  if (starts.length <= 1) return
  let other: Pick<Runs, 'places' | 'counts'> = { places: new Uint32Array(length), counts: new Uint32Array(length) }
  while (starts.length > 1) {
    const merged: number[] = []
    for (let run = 0; run < starts.length; run += 2) {
      const start = starts[run] as number
      merged.push(start)
      mergeTwo(list, other, start, starts[run + 1] ?? length, starts[run + 2] ?? length)
    }
    const { places, counts } = list
    list.places = other.places
    list.counts = other.counts
    other = { places, counts }
    starts = merged
  }
}

/** Where each run begins. */
function runsOf({ places, length }: Runs): number[] {
  const starts = length === 0 ? [] : [0]
  for (let at = 1; at < length; at++) if ((places[at - 1] as number) > (places[at] as number)) starts.push(at)
  return starts
}

function mergeTwo(
  { places, counts }: Runs,
  into: { readonly places: Uint32Array; readonly counts: Uint32Array },
  start: number,
  middle: number,
  end: number,
): void {
  let left = start
  let right = middle
  for (let at = start; at < end; at++) {
    const fromLeft = left < middle && (right >= end || (places[left] as number) < (places[right] as number))
    const from = fromLeft ? left++ : right++
    into.places[at] = places[from] as number
    into.counts[at] = counts[from] as number
  }
}
