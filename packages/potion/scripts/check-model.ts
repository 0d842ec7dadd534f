/** Run by npm before it packs: refuses a package that lacks its code or its model, and adds the licence of the code. */
import { copyFileSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { missingFiles, packedFolder } from './model-folder.ts'

if (!existsSync(new URL('../dist/index.js', import.meta.url)))
  throw new Error('There is no dist/index.js: run "npm run build" first')
const missing = missingFiles(packedFolder)
if (missing.length > 0) {
  throw new Error(`The model is not all there (${missing.join(', ')}): set ASHLAR_MODELS and run "npm run build" first`)
}
copyFileSync(fileURLToPath(new URL('../../../LICENSE', import.meta.url)), fileURLToPath(new URL('../LICENSE', import.meta.url)))
