import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The built command. */
export const bin: string = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))

/** The environment that tests run it in: on words alone, so that no model is needed. */
export const plainEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  ASHLAR_EMBEDDER: 'none',
}

export interface Ended {
  readonly exit: number | null
  readonly out: string
  readonly err: string
}

/** Runs the built command to its end. */
export function runBin(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { input = '', closeOutput = false }: { readonly input?: string; readonly closeOutput?: boolean } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { ...plainEnvironment, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString()
    if (closeOutput) child.stdout.destroy()
  })
  child.stderr.on('data', (part: Buffer) => {
    err += part.toString()
  })
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exit) => resolve({ exit, out, err }))
  })
}
