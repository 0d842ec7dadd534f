/**
 * The faults command: `npm run faults -- <name> [--json] [--quick]`.
 *
 * Builds the library, does harm to processes that use it, writes `bench/results/`, and exits with 1 when a bar is missed.
 */
import { runCommand } from '../harness/run-command.ts'

await runCommand({
  script: 'faults',
  noun: 'suite',
  prefix: 'faults-',
  suites: {
    embed: {
      summary: 'kill -9 at 50 random instants of embedding 10,000 chunks, then resume: nothing lost, nothing paid for twice',
      load: async () => (await import('./embed.ts')).embed,
    },
    stores: {
      summary:
        'kill -9 of SQLite and PostgreSQL clients and of PostgreSQL, 100 times each: all that was reported is there, nothing in halves',
      load: async () => (await import('./stores.ts')).stores,
    },
    filters: {
      summary: '100,000 hostile filters, ids, names, cursors and queries on every engine: nobody let in, no engine stumbles',
      load: async () => (await import('./filters.ts')).filters,
    },
    loaders: {
      summary: 'files made to hurt through the pool of loaders: nothing crashes, nothing hangs, each has a code of its own',
      load: async () => (await import('./loaders.ts')).loaders,
    },
    ingest: {
      summary:
        'kill -9 at 200 random instants of syncing a folder that is edited meanwhile: the store ends as if nothing had happened',
      load: async () => (await import('./ingest.ts')).ingest,
    },
    concurrency: {
      summary:
        '8 writers and 8 readers on one store for 60 s an engine, in 4 processes: nobody fails, nothing is torn, nothing is lost',
      load: async () => (await import('./concurrency.ts')).concurrency,
    },
    migration: {
      summary:
        '20,000 children move to another embedder while 4 readers search, on every store: no failed search, no mixed result',
      load: async () => (await import('./migration.ts')).migration,
    },
  },
  help: `  --json      print one JSON document { command, commit, figures } instead of the table
  --quick     fewer and smaller runs, within a minute
  --no-build  use packages/ashlar/dist as it is

A run writes bench/results/faults-<name>.json and exits with 1 when a bar is missed.`,
})
