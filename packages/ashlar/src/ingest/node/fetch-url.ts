import { lookup as lookUp } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { AshlarError, isAshlarError } from '../../error/ashlar-error.ts'
import { joinBytes } from '../join-bytes.ts'
import { isPrivateAddress } from './private-address.ts'

/** What may be fetched. */
export interface FetchUrlOptions {
  /** Allows addresses on this machine and in private networks. @default false */
  readonly allowPrivate?: boolean
  /** Most bytes of an answer, uncompressed. @default 33554432 */
  readonly maxBytes?: number
  /** Milliseconds for all of it, redirects included. @default 30000 */
  readonly timeout?: number
  /** Most redirects. @default 5 */
  readonly redirects?: number
  /** Sent along, such as `authorization`; not to another origin after a redirect. @default none */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** What a server answered. */
export interface FetchedUrl {
  /** Where it was found, after redirects. */
  readonly url: string
  readonly bytes: Uint8Array
  readonly mediaType: string | undefined
}

/**
 * Fetches an address on the public Internet.
 *
 * The address that a name leads to is looked at when the connection is made, for every redirect anew, so that no name can lead
 * elsewhere between the look and the connection.
 *
 * @throws AshlarError `URL_REFUSED`, `FILE_TOO_LARGE` or `SOURCE_FAILED`.
 */
export async function fetchUrl(url: string, options: FetchUrlOptions = {}): Promise<FetchedUrl> {
  const { timeout = 30_000, redirects = 5 } = options
  const deadline = AbortSignal.timeout(timeout)
  const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline])
  let at = readUrl(url)
  const origin = at.origin
  try {
    for (let hops = 0; ; hops++) {
      const response = await ask(at, at.origin === origin ? (options.headers ?? {}) : {}, options.allowPrivate === true, signal)
      const { statusCode = 0, headers } = response
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy()
        if (hops >= redirects) throw failed(url, `it leads on more than ${redirects} times`, false)
        at = readUrl(new URL(headers.location, at).href)
        continue
      }
      if (statusCode !== 200) {
        response.destroy()
        throw failed(url, `the server answered ${statusCode}`, statusCode === 429 || statusCode >= 500)
      }
      const bytes = await readAll(response, url, options.maxBytes ?? 33_554_432, signal)
      return { url: at.href, bytes, mediaType: headers['content-type'] }
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (isAshlarError(error)) throw error
    throw failed(
      url,
      deadline.aborted ? `there was no complete answer within ${timeout} ms` : (error as Error).message,
      true,
      error,
    )
  }
}

function readUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refused(text, 'only http and https are fetched', {})
  if (url.username !== '' || url.password !== '') throw refused(url.host, 'names and passwords in addresses are not sent', {})
  return url
}

function ask(
  url: URL,
  headers: Readonly<Record<string, string>>,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // An address needs no look-up, so it is looked at here.
  if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) throw privateAddress(url, host)
  const options: RequestOptions = {
    headers: { 'user-agent': 'ashlar', 'accept-encoding': 'gzip, deflate, br', ...headers },
    signal,
    agent: false,
    ...(allowPrivate ? {} : { lookup: publicLookUp(url) }),
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve)
    request.on('error', reject)
    request.end()
  })
}

/** Looks names up as the system does, and refuses those that lead to any private address. */
function publicLookUp(url: URL): LookupFunction {
  return (host, options, callback) => {
    lookUp(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const hidden = addresses.find(({ address }) => isPrivateAddress(address))
      if (hidden !== undefined) return callback(privateAddress(url, hidden.address) as NodeJS.ErrnoException, [])
      const [first] = addresses
      if (options.all === true || first === undefined) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

async function readAll(response: IncomingMessage, url: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  const collect = async (stream: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const part of stream) {
      length += part.length
      if (length > maxBytes)
        throw new AshlarError('FILE_TOO_LARGE', `${url} has more than ${maxBytes} bytes.`, { details: { url, limit: maxBytes } })
      parts.push(part)
    }
  }
  const coding = response.headers['content-encoding']
  if (coding === undefined || coding === 'identity') await pipeline(response, collect, { signal })
  else if (coding === 'gzip' || coding === 'x-gzip') await pipeline(response, createGunzip(), collect, { signal })
  else if (coding === 'deflate') await pipeline(response, createInflate(), collect, { signal })
  else if (coding === 'br') await pipeline(response, createBrotliDecompress(), collect, { signal })
  else throw failed(url, `the answer is encoded as ${coding}`, false)
  return joinBytes(parts, length)
}

function privateAddress(url: URL, address: string): AshlarError {
  return refused(url.host, `it leads to ${address}, which is not public`, { address })
}

function refused(url: string, why: string, details: Readonly<Record<string, unknown>>): AshlarError {
  return new AshlarError('URL_REFUSED', `${url.slice(0, 200)} is not fetched: ${why}.`, { details: { url, ...details } })
}

function failed(url: string, why: string, retryable: boolean, cause?: unknown): AshlarError {
  return new AshlarError('SOURCE_FAILED', `${url.slice(0, 200)} cannot be fetched: ${why}.`, {
    cause,
    details: { url, retryable },
  })
}
