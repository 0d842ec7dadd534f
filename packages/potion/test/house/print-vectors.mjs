import { potion } from 'ashlar-potion'
import { embedAll } from './vectors.mjs'

console.log(await embedAll(potion))
