import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the packed model is written to, inside this package. */
export const packedFolder: string = fileURLToPath(new URL('../model', import.meta.url))

/** Where the model comes from: the folder given, else potion-base-8M under ASHLAR_MODELS, else under `shared/models` beside the checkout. */
export function modelFolder(given?: string): string {
  const models = process.env['ASHLAR_MODELS'] ?? fileURLToPath(new URL('../../../../shared/models', import.meta.url))
  return given ?? join(models, 'potion-base-8M')
}

/** The model's own papers, carried along as they are. */
export const papers: readonly string[] = ['LICENSE', 'NOTICE', 'ATTRIBUTION.txt', 'MODEL_CARD.md']

/** What the packed model consists of. */
export const packedFiles: readonly string[] = ['model.safetensors', 'tokenizer.json', 'config.json', ...papers]

/** Files of {@link packedFiles} that are not there. */
export function missingFiles(folder: string): string[] {
  return packedFiles.filter((name) => !existsSync(join(folder, name)))
}
