/**
 * A program as a user would write it, in JavaScript since that is what runs: opens a library by path and syncs a folder. It tells the
 * process that started it how much memory it takes meanwhile.
 */
import { open } from 'ashlar/node'

const [folder = '', file = ''] = process.argv.slice(2)
/** @type {number[]} */
const memory = []
const library = await open(file, { base: folder })
const start = performance.now()
const { counts, failures, written, bytes, children } = await library.sync(folder, {
  onEvent: (event) => {
    if (event.type !== 'progress') return
    memory.push(process.memoryUsage.rss() / 1e6)
    process.send?.({ done: event.done.bytes, found: event.found.bytes })
  },
})
const milliseconds = performance.now() - start
// Given in units of 1,024 bytes.
const most = (process.resourceUsage().maxRSS * 1_024) / 1e6
await library.close()
process.send?.({ milliseconds, memory, most, documents: written, bytes, children: children.all, failed: counts.failed, failures })
process.disconnect?.()
