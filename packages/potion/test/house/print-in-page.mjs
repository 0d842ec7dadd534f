import { potion } from 'ashlar-potion'
import { embedAll } from './vectors.mjs'

const pre = document.createElement('pre')
pre.textContent = await embedAll(potion)
document.body.append(pre)
