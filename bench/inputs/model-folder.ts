import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of a model, in the folder named in ASHLAR_MODELS, else in `shared/models` beside the checkout. */
export function modelFolder(model: string): string {
  const homes = [process.env['ASHLAR_MODELS'], fileURLToPath(new URL('../../../shared/models', import.meta.url))]
  const found = homes.map((home) => (home === undefined ? '' : join(home, model))).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`There is no model ${model}: set ASHLAR_MODELS to a folder of models`)
  return found
}
