/**
 * Packs the model: reads potion-base-8M from a folder (an argument, else under ASHLAR_MODELS, else under `shared/models` beside the
 * checkout) and writes `model/`. Without that folder it says so and succeeds, so that the rest can be built anywhere; packing the
 * package for publication is refused then.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modelFolder, packedFolder, papers } from './model-folder.ts'
import { packWeights } from './pack-weights.ts'

const source = modelFolder(process.argv[2])

if (existsSync(join(source, 'model.safetensors'))) {
  rmSync(packedFolder, { recursive: true, force: true })
  mkdirSync(packedFolder)
  for (const name of ['tokenizer.json', 'config.json'])
    writeFileSync(join(packedFolder, name), JSON.stringify(JSON.parse(readFileSync(join(source, name), 'utf8'))))
  for (const name of papers) writeFileSync(join(packedFolder, name), readFileSync(join(source, name)))
  writeFileSync(join(packedFolder, 'model.safetensors'), packWeights(readFileSync(join(source, 'model.safetensors'))))
} else {
  console.warn(`ashlar-potion: there is no model in ${source}, so none is packed. Set ASHLAR_MODELS to the folder it is in.`)
}
