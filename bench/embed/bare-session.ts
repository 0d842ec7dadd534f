import { AutoModel, AutoTokenizer, Tensor } from '@huggingface/transformers'

interface Session {
  run(feeds: Readonly<Record<string, unknown>>): Promise<{ readonly last_hidden_state: { readonly data: Float32Array } }>
  release(): Promise<void>
}

/** What any program must do to get vectors from the ONNX session: nothing but run it and average. */
export interface BareSession {
  /** Makes the session's input tensors beforehand, so that tokenizing costs the bare side nothing. */
  prepare(texts: readonly string[]): Promise<() => Promise<Float32Array[]>>
  close(): Promise<void>
}

/**
 * The InferenceSession of onnxruntime-node that transformers.js opens for a model folder, on one thread, called directly.
 *
 * Each text is a run of its own; the states are averaged with one plain loop.
 */
export async function openBareSession(folder: string): Promise<BareSession> {
  const model = await AutoModel.from_pretrained(folder, {
    dtype: 'q8',
    local_files_only: true,
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  })
  const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true })
  const session = (model.sessions as Readonly<Record<string, Session>>)['model']!
  return {
    async prepare(texts) {
      const feeds = texts.map((text) => {
        const ids = tokenizer.encode(text) as number[]
        const tensor = (values: BigInt64Array): unknown => new Tensor('int64', values, [1, ids.length]).ort_tensor
        return {
          input_ids: tensor(BigInt64Array.from(ids, BigInt)),
          attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
          token_type_ids: tensor(new BigInt64Array(ids.length)),
        }
      })
      return async () => {
        const vectors: Float32Array[] = []
        for (const feed of feeds) vectors.push(mean((await session.run(feed)).last_hidden_state.data))
        return vectors
      }
    },
    close: () => session.release(),
  }
}

function mean(states: Float32Array): Float32Array {
  const width = 384
  const vector = new Float32Array(width)
  for (let row = 0; row < states.length; row += width) {
    for (let axis = 0; axis < width; axis++) vector[axis]! += states[row + axis]!
  }
  const rows = states.length / width
  for (let axis = 0; axis < width; axis++) vector[axis]! /= rows
  return vector
}
