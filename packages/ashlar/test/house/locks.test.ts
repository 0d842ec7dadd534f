import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const locks = [
  'package-lock.json',
  'runtimes/package-lock.json',
  'bench/peers/package-lock.json',
  'evals/peers/package-lock.json',
]

describe.each(locks)('%s', (path) => {
  const packages: Readonly<Record<string, Locked>> = JSON.parse(readFileSync(join(root, path), 'utf8')).packages
  const installed = Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && link !== true)

  test('names no registry, and a checksum for each package', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([])
    expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([place]) => place)).toEqual([])
  })

  // One of the peers is taken without its grammars, which are not published for most platforms.
  if (path.includes('peers/')) return

  test('holds the binaries of every platform, without which `npm ci` refuses it', () => {
    const names = new Set(installed.map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)))
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    expect(wanted.filter((name) => !names.has(name))).toEqual([])
  })
})
