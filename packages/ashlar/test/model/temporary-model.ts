import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A model folder made for one test: the weights of another, and files of its own. */
export interface TemporaryModel extends Disposable {
  readonly path: string
}

/** Makes a folder called `name` with the weights, configuration and tokenizer in `from`, and `files` written over them. */
export function temporaryModel(from: string, name: string, files: Readonly<Record<string, unknown>> = {}): TemporaryModel {
  const home = mkdtempSync(join(tmpdir(), 'ashlar-model-'))
  const path = join(home, name)
  mkdirSync(path)
  symlinkSync(join(from, 'onnx'), join(path, 'onnx'), 'dir')
  const own = ['config.json', 'tokenizer.json', 'tokenizer_config.json'].map((file) => [
    file,
    JSON.parse(readFileSync(join(from, file), 'utf8')),
  ])
  for (const [file, content] of Object.entries({ ...Object.fromEntries(own), ...files })) {
    if (content === null) continue
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return { path, [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) }
}
