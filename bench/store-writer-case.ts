/** A process that does a job on a store of the built library: `node store-writer-case.ts <job as JSON>`. */
import { doHistoryJob, type HistoryJob } from '../packages/ashlar/test/store/history-job.ts'
import { openHistoryStore } from './stores/open-history-store.ts'

await doHistoryJob(JSON.parse(process.argv[2] ?? '') as HistoryJob, openHistoryStore)
