import type { Source, SourceItem } from '../source.ts'
import { type FetchUrlOptions, fetchUrl } from './fetch-url.ts'

/** How {@link urlSource} fetches. */
export interface UrlSourceOptions extends Omit<FetchUrlOptions, 'signal'> {
  /** Names the set of documents in the store: addresses of it that are not named any more are removed. @default 'urls' */
  readonly root?: string
}

/**
 * Pages and files behind addresses, each a document whose id is the address. They are fetched when they are compared and again when they
 * are read; nothing behind links is.
 */
export function urlSource(urls: readonly string[], options: UrlSourceOptions = {}): Source {
  const { root = 'urls', ...fetching } = options
  return {
    root,
    async *list() {
      for (const url of new Set(urls)) yield urlItem(url, fetching)
    },
  }
}

function urlItem(url: string, options: FetchUrlOptions): SourceItem {
  let mediaType: string | undefined
  return {
    id: url,
    source: url,
    get name() {
      const path = URL.parse(url)?.pathname ?? url
      const name = path.slice(path.lastIndexOf('/') + 1)
      // A page without an extension is what its server says it is.
      return name.includes('.')
        ? name
        : mediaType === undefined || /html/.test(mediaType)
          ? `${name || 'index'}.html`
          : name || 'file'
    },
    get mediaType() {
      return mediaType ?? ''
    },
    async read(signal) {
      const fetched = await fetchUrl(url, { ...options, ...(signal !== undefined && { signal }) })
      mediaType = fetched.mediaType?.split(';', 1)[0]?.trim()
      return fetched.bytes
    },
  }
}
