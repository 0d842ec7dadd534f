import { writeFileSync } from 'node:fs'
import { peerVersion } from '../peers/load.ts'
import type { PeerLawOptions, PeerReport, Verdict } from './peers.ts'

const laws: Record<Verdict['law'], string> = {
  slice: 'a chunk is what its positions say, or at least a piece of the source',
  cover: 'every character that is not white space is in a chunk',
  fit: "no chunk exceeds the limit, in the splitter's own unit",
  unicode: 'no cut inside a surrogate pair, a grapheme or a CRLF',
  progress: 'linear time, no throw, no hang',
  stability: 'the same cut twice, and a small edit changes a handful of chunks',
}

/** Writes `docs/peers-and-laws.md`: which laws each published splitter breaks, and the smallest input found that shows it. */
export async function writePeersDocument(reports: readonly PeerReport[], options: PeerLawOptions): Promise<URL> {
  const file = new URL('../../docs/peers-and-laws.md', import.meta.url)
  writeFileSync(file, await describePeers(reports, options))
  return file
}

/** The document as text. */
async function describePeers(reports: readonly PeerReport[], { runs, seed }: PeerLawOptions): Promise<string> {
  const names = Object.keys(laws) as Verdict['law'][]
  const sections: string[] = []
  for (const report of reports) sections.push(await describePeer(report))
  return `# The laws and the published splitters

Written by \`npm run laws -- --peers\`; do not edit. ${runs} generated texts for each splitter and law, seed ${seed}.

${names.map((law, i) => `${i + 1}. **${law}**: ${laws[law]}`).join('\n')}

Laws 1 to 4 are put to generated texts in many scripts, sizes from 16 characters (or 8 tokens), overlaps up to a quarter;
a failure is shrunk to the smallest text that still fails. A splitter that gives no positions, or false ones, gets the benefit
of the doubt for laws 2 and 4: its chunks are placed where they leave no gap, white space aside; positions that hold the
chunk's text are taken at their word. A grapheme larger than the limit may be cut. Law 5 is put to five texts (full stops,
words without spaces, tiny lines, one letter, Chinese without punctuation) from 4 kB to 2 MB, and to tiny lines once more with
a limit of 8: more than 24 times as long for eight times the text, a throw, or more than 10 s breaks it. Law 6 allows six new chunks after five words were changed in 57 kB of prose, without overlap.

| splitter | unit | ${names.join(' | ')} |
|---|---|${names.map(() => '---|').join('')}
${reports.map(toRow).join('\n')}

${sections.join('\n\n')}
`
}

function toRow({ peer, verdicts }: PeerReport): string {
  return `| ${peer.id} | ${peer.unit} | ${verdicts.map(({ kept }) => (kept ? 'kept' : '**broken**')).join(' | ')} |`
}

async function describePeer({ peer, verdicts }: PeerReport): Promise<string> {
  const version = peer.package === 'ashlar' ? '' : ` ${await peerVersion(peer.package)}`
  const broken = verdicts.filter(({ kept }) => !kept)
  const lines = broken.map(
    ({ law, finding, input }) =>
      `- **${law}**: ${toCode(finding)}${input === undefined ? '' : `\n  - input: ${toCodeSpan(input)}`}`,
  )
  const head = `## ${peer.id}\n\n\`${peer.package}\`${version}${peer.note === undefined ? '' : `, ${peer.note}`}.`
  const stability = verdicts.find(({ law, kept }) => law === 'stability' && kept)
  return `${head}\n\n${lines.length > 0 ? lines.join('\n') : 'No law broken.'}${stability === undefined ? '' : `\n- stability, kept: ${stability.finding}`}`
}

/** Texts inside a finding are JSON strings; as code they survive markdown. */
function toCode(finding: string): string {
  return finding.replace(/"(?:[^"\\]|\\.)*"/g, toCodeSpan)
}

/** As markdown asks for it: the marks around are longer than any run of them inside. */
function toCodeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const mark = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1)
  return runs.length === 0 ? `${mark}${text}${mark}` : `${mark} ${text} ${mark}`
}
