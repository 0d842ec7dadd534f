import { AshlarError } from '../error/ashlar-error.ts'
import type { ModelFolder } from './model-folder.ts'

/**
 * How many tokens of its own a text may have for a local model: positions it was made for, less the special tokens around.
 *
 * @throws AshlarError `INVALID_OPTION` if more is asked for than the model has.
 */
export function tokenLimit(
  { config, path }: ModelFolder,
  files: { readonly tokenizerConfig: unknown; readonly sentenceConfig: unknown },
  { special, wanted }: { readonly special: number; readonly wanted: number | undefined },
): number | undefined {
  const { model_max_length: longest } = (files.tokenizerConfig ?? {}) as { readonly model_max_length?: unknown }
  const { max_seq_length: sequence } = (files.sentenceConfig ?? {}) as { readonly max_seq_length?: unknown }
  const positions = Number(config['max_position_embeddings'] ?? config['n_positions'] ?? Number.NaN) - unusedPositions(config)
  // Files without a limit of their own hold an absurdly large number instead.
  const limits = [positions, longest, sequence].filter(
    (limit): limit is number => typeof limit === 'number' && limit > special && limit < 1e7,
  )
  const most = limits.length === 0 ? undefined : Math.min(...limits) - special
  if (wanted === undefined) return most
  if (!Number.isInteger(wanted) || wanted < 1 || (most !== undefined && wanted > most)) {
    const range = most === undefined ? 'at least 1' : `from 1 to ${most}`
    throw new AshlarError('INVALID_OPTION', `maxTokens is ${wanted}; for the model in ${path} it must be an integer ${range}.`, {
      details: { maxTokens: wanted, most },
    })
  }
  return wanted
}

/** Models of RoBERTa's family number positions from behind the padding token, so that the first ones are never used. */
function unusedPositions(config: ModelFolder['config']): number {
  const { model_type: type, pad_token_id: padding } = config as { readonly model_type?: unknown; readonly pad_token_id?: unknown }
  if (!/roberta|camembert|mpnet|longformer/.test(String(type))) return 0
  return (typeof padding === 'number' ? padding : 1) + 1
}
