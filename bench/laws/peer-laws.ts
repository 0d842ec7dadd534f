import { type BenchResult, figure } from '../harness/bench.ts'
import type { LawOptions } from './laws.ts'
import { checkPeers } from './peers.ts'
import { writePeersDocument } from './peers-document.ts'

/** The laws for every published splitter, as a table and as `docs/peers-and-laws.md`; the bar is on Ashlar alone. */
export async function peerLaws({ runs, seed, quick, progress }: LawOptions): Promise<BenchResult> {
  const options = { runs: quick ? Math.min(runs, 60) : runs, seed, progress }
  const reports = await checkPeers(quick ? { ...options, only: ['Ashlar', 'LangChain recursive', 'chonkie recursive'] } : options)
  if (!quick) await writePeersDocument(reports, options)
  const laws = reports[0]?.verdicts.map(({ law }) => law) ?? []
  return {
    figures: reports.map(({ peer, verdicts }) =>
      figure(`laws broken, ${peer.id}`, verdicts.filter(({ kept }) => !kept).length, '', peer.id === 'Ashlar' ? '= 0' : null),
    ),
    table: {
      columns: ['splitter', ...laws],
      rows: reports.map(({ peer, verdicts }) => [peer.id, ...verdicts.map(({ kept }) => (kept ? 'kept' : 'broken'))]),
    },
    notes: [
      quick ? 'docs/peers-and-laws.md is left as it is' : 'The smallest failing inputs are in docs/peers-and-laws.md',
      `seed ${seed}`,
    ],
  }
}
