/** How far {@link mapAhead} goes ahead. */
export interface AheadOptions<Item> {
  /** Most items that are worked on at once. */
  readonly most: number
  /** Most weight that is worked on at once; one item may be heavier. @default no limit */
  readonly weight?: { readonly most: number; readonly of: (item: Item) => number }
}

/** The results of asynchronous work in the order of the items, several of which are worked on at once. Work must not reject. */
export async function* mapAhead<Item, Result>(
  items: AsyncIterable<Item>,
  { most, weight }: AheadOptions<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const ahead: { readonly result: Promise<Result>; readonly weight: number }[] = []
  let heavy = 0
  const next = async (): Promise<Result> => {
    const first = ahead.shift() as (typeof ahead)[number]
    const result = await first.result
    heavy -= first.weight
    return result
  }
  for await (const item of items) {
    const own = weight?.of(item) ?? 0
    while (ahead.length >= most || (ahead.length > 0 && weight !== undefined && heavy + own > weight.most)) yield await next()
    heavy += own
    ahead.push({ result: work(item), weight: own })
  }
  while (ahead.length > 0) yield await next()
}
