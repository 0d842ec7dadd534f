import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Runs a full collection, so that one candidate does not pay for what another one left behind. */
export const collectGarbage = runInNewContext('gc') as () => void
