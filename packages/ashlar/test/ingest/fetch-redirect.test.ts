import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fetchUrl } from '../../src/ingest/node/fetch-url.ts'

/** Names that lead somewhere, each time the next of these addresses; 127.0.0.1 stands in for the public Internet. */
const names: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['127.0.0.1'],
  'inside.test': ['10.0.0.5'],
  'both.test': ['127.0.0.1,10.0.0.5'],
  'turning.test': ['127.0.0.1', '10.0.0.5'],
}
const asked = new Map<string, number>()

vi.mock('node:dns', () => ({
  lookup: (name: string, _: unknown, callback: (error: unknown, addresses: unknown) => void) => {
    const times = asked.get(name) ?? 0
    asked.set(name, times + 1)
    const addresses = names[name]?.[Math.min(times, (names[name]?.length ?? 1) - 1)]?.split(',') ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    )
  },
}))

vi.mock('../../src/ingest/node/private-address.ts', async (load) => {
  const real = (await load()) as { isPrivateAddress(address: string): boolean }
  return { isPrivateAddress: (address: string) => address !== '127.0.0.1' && real.isPrivateAddress(address) }
})

let server: Server
let port: number
const seen: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.headers.host} ${request.url}`)
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to')
    if (to === null) response.end('A page.')
    else response.writeHead(302, { location: to }).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const redirect = (to: string): Promise<unknown> => fetchUrl(`http://public.test:${port}/?to=${encodeURIComponent(to)}`)

test('a public page that leads to a public one is fetched', async () => {
  expect(await redirect(`http://public.test:${port}/page`)).toMatchObject({ url: `http://public.test:${port}/page` })
})

test.each([
  'http://10.0.0.5/',
  'http://127.0.0.2/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.5]/',
  'http://169.254.169.254/latest/meta-data',
  'http://0x0a.5/',
  'http://inside.test/',
  'http://both.test/',
])('a public page that leads to %s is not followed', async (to) => {
  await expect(redirect(to)).rejects.toMatchObject({ code: 'URL_REFUSED' })
})

test('a name that leads inside the second time is not followed the second time', async () => {
  const before = seen.length
  const url = `http://turning.test:${port}/?to=${encodeURIComponent(`http://turning.test:${port}/secret`)}`
  await expect(fetchUrl(url)).rejects.toMatchObject({ code: 'URL_REFUSED' })
  expect(seen.length - before).toBe(1)
})
