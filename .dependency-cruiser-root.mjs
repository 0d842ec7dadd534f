import all from './.dependency-cruiser.mjs'

const source = '^packages/ashlar/src/'

/** Doors that run in a browser as they are. */
const portable = `${source}(index|evaluation)\\.ts$`

/**
 * What loading the root entry loads, before anything is called: `open` imports the rest when it is. So imports within functions are left
 * out here, and only here.
 */
export default {
  forbidden: [
    {
      name: 'root-entry-reaches-no-platform',
      comment: 'The root entry and the evaluation door must run in a browser without a bundler.',
      severity: 'error',
      from: { path: portable },
      to: { path: '^(node:|fs$|path$|crypto$|url$|util$|buffer$|process$|os$|worker_threads$|stream$)', reachable: true },
    },
    {
      name: 'root-entry-reaches-no-package',
      comment: 'The root entry and the evaluation door have no dependency, required or optional.',
      severity: 'error',
      from: { path: portable },
      to: { path: '(^|/)node_modules/', pathNot: '(^|/)node_modules/unicode-segmenter/', reachable: true },
    },
  ],
  options: { ...all.options, exclude: { dynamic: true } },
}
