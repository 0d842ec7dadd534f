import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder with these files in it, gone when it is disposed of. */
export async function temporaryFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'ashlar-command-')))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), content)
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Three small documents about different things. */
export const handbook = {
  'docs/refunds.md': `# Refunds

## How long they take

A refund reaches the customer's account within five working days after the returned goods have been inspected.

## Who approves them

Refunds above 500 euros are approved by the head of the shop.
`,
  'docs/walls.md': `# Dry stone walls

Lay the long stones across the wall, so that they tie both faces together. Fill the heart with small stones.
`,
  'docs/bees.txt': 'A colony of bees needs about fifteen kilograms of honey to live through the winter.\n',
} as const
