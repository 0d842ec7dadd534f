/**
 * Documents of many tenants behind one HTTP service: each sees its own and the shared ones.
 *
 *   PUT    /documents/<id>?kind=manual&year=2026   the document as the body
 *   GET    /documents                              own and shared ones, page by page (?after=)
 *   DELETE /documents/<id>                         erases it; answers with the receipt
 *   POST   /search                                 { "query": "…", "limit": 5, "where": { "year": { "gte": 2024 } } }
 *
 * Every request has the header `authorization: Bearer <key>`.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isAshlarError, type Library, type LibrarySearchOptions } from 'ashlar'
import pg from 'pg'
import { type Fields, Tenants } from './tenants.ts'

const { DATABASE_URL, API_KEYS = '', PORT = '3000' } = process.env
if (DATABASE_URL === undefined || API_KEYS === '') throw new Error('Set DATABASE_URL and API_KEYS; see README.')

/** `acme:key1,globex:key2,shared:key3` */
const keys = new Map(API_KEYS.split(',').map((pair) => [pair.slice(pair.indexOf(':') + 1), pair.slice(0, pair.indexOf(':'))]))
const mostBytes = 20_000_000

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
// A connection that breaks while nobody uses it is replaced by the pool.
pool.on('error', () => {})
const tenants = new Tenants(pool, keys)

/** What is wrong with a request, for whoever sent it. */
class BadRequest extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const server = createServer((request, response) => {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  handle(request, gone.signal)
    .then((answer) => ({ status: 200, answer }), failureOf)
    .then(({ status, answer }) => {
      if (!response.destroyed) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
})

async function handle(request: IncomingMessage, signal: AbortSignal): Promise<unknown> {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const tenant = key === undefined ? undefined : tenants.tenantOf(key)
  if (tenant === undefined) throw new BadRequest(401, 'Unknown key.')
  const library = await tenants.libraryOf(tenant)
  const url = new URL(request.url ?? '/', 'http://service')
  const id = /^\/documents\/(.+)$/.exec(url.pathname)?.[1]
  if (id !== undefined && request.method === 'PUT') return add(library, decoded(id), url, request, signal)
  if (id !== undefined && request.method === 'DELETE') return library.remove(decoded(id), { signal })
  if (url.pathname === '/documents' && request.method === 'GET') {
    const after = url.searchParams.get('after')
    return library.list({ signal, ...(after === null ? {} : { after }) })
  }
  if (url.pathname === '/search' && request.method === 'POST') return search(library, await bodyOf(request), signal)
  throw new BadRequest(404, 'There is no such thing here.')
}

async function add(
  library: Library<Fields>,
  id: string,
  { searchParams }: URL,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<unknown> {
  const kind = searchParams.get('kind')
  const year = searchParams.get('year')
  if (year !== null && !/^\d{1,4}$/.test(year)) throw new BadRequest(400, 'year must be a number.')
  const metadata = { ...(kind !== null && { kind }), ...(year !== null && { year: Number(year) }) } as Fields
  const mediaType = request.headers['content-type']
  const document = { id, name: id, bytes: await bodyOf(request), metadata, ...(mediaType !== undefined && { mediaType }) }
  const { written, children, failures } = await library.add(document, { signal })
  const [failure] = failures
  if (failure !== undefined) throw new BadRequest(failure.retryable ? 503 : 422, failure.message)
  return { id, written, pieces: children.all }
}

async function search(library: Library<Fields>, body: Uint8Array, signal: AbortSignal): Promise<unknown> {
  const { query, limit = 5, where } = parsed(body)
  if (typeof query !== 'string' || query.trim() === '') throw new BadRequest(400, 'query must be a text.')
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > 50) throw new BadRequest(400, 'limit is from 1 to 50.')
  // The library checks filters itself: fields that are declared, values of their type, nothing else.
  const filter = where === undefined ? {} : { where: where as NonNullable<LibrarySearchOptions<Fields>['where']> }
  const { hits, nothing } = await library.search(query, { limit: Number(limit), signal, ...filter })
  return {
    nothing,
    hits: hits.map(({ document, workspace, text, citation, score, relevance }) => ({
      document: document.id,
      shared: workspace === 'shared',
      citation,
      text,
      score,
      relevance,
    })),
  }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw new BadRequest(400, 'The id is not written as URLs are.')
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > mostBytes) throw new BadRequest(413, `At most ${mostBytes} bytes.`)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}

function parsed(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // Said below.
  }
  throw new BadRequest(400, 'The body must be a JSON object.')
}

/** The sender's own mistakes are explained; what goes wrong here is not shown, only written down. */
function failureOf(error: unknown): { readonly status: number; readonly answer: { readonly error: string } } {
  if (error instanceof BadRequest) return { status: error.status, answer: { error: error.message } }
  if (isAshlarError(error) && error.code.startsWith('INVALID_')) return { status: 400, answer: { error: error.message } }
  console.error(error)
  return { status: 500, answer: { error: 'Something went wrong here.' } }
}

server.listen(Number(PORT), process.env['HOST'] ?? '127.0.0.1', () => {
  console.log(`Listening on port ${(server.address() as AddressInfo).port}.`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(async () => {
      await tenants.close()
      await pool.end()
    })
    server.closeIdleConnections()
  })
}
