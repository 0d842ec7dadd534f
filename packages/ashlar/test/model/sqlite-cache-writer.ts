/** Writes entries to a cache until it is killed, and says which are in: `node sqlite-cache-writer.ts <file> <name> <count>`. */
import { writeSync } from 'node:fs'
import { sqliteCache } from '../../src/model/sqlite-cache.ts'

const [path = '', name = '', count = ''] = process.argv.slice(2)
await using cache = sqliteCache(path)
for (let at = 0; at < Number(count); at++) {
  await cache.set(
    Array.from({ length: 3 }, (_, part) => ({ key: `${name}/${at}/${part}`, value: new Uint8Array(2000).fill(at) })),
  )
  writeSync(1, `${at}\n`)
}
