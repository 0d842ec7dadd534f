import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Brings in one package of this folder, installing all of them first when they are missing.
 *
 * It lies in this folder because a name is resolved from the file that imports it; types are the caller's, as the subset
 * it needs, so that the benches type-check without the peers installed.
 */
export async function loadPeer<T>(name: string): Promise<T> {
  installPeers()
  return (await import(name)) as T
}

/** The version of a peer as installed, for tables that name it. */
export async function peerVersion(name: string): Promise<string> {
  installPeers()
  const { readFileSync } = await import('node:fs')
  const manifest = new URL(`./node_modules/${name}/package.json`, import.meta.url)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Installs what package-lock.json pins; the product's own install never sees it. */
function installPeers(): void {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  if (existsSync(new URL('./node_modules/.package-lock.json', import.meta.url))) return
  process.stderr.write('Installing the peers into bench/peers (once, about 300 MB) ...\n')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('The peers could not be installed: run npm ci --prefix bench/peers and read what it says')
}
