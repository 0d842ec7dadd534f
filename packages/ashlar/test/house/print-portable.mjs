import * as ashlar from 'ashlar'
import { cut } from './portable.mjs'

console.log(cut(ashlar))
