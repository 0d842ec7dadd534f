/** Places of a segment's table of children as bytes; they need not be in order. */
export function packPlaces(places: Iterable<number>): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([...places]))
}

/** The places that {@link packPlaces} packed. */
export function readPlaces(bytes: Uint8Array): number[] {
  return JSON.parse(new TextDecoder().decode(bytes)) as number[]
}
