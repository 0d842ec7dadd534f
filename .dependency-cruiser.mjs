/**
 * The layer table: what each folder of `packages/ashlar/src` may import, besides itself.
 * A layer also gets what the layers named here get. Change it only together with ARCHITECTURE.md.
 */
const layers = {
  error: [],
  text: ['error'],
  chunk: ['text'],
  tree: ['chunk'],
  model: ['text'],
  vector: ['tree', 'model'],
  enrich: ['tree', 'model'],
  store: ['vector'],
  search: ['store'],
  ingest: ['enrich', 'store'],
  memory: ['search', 'ingest'],
  library: ['memory'],
  tools: ['library'],
  evaluation: ['library'],
}

/** Packages that the build copies into `dist`, so that importing them asks nothing of the user. */
const inlined = '(^|/)node_modules/unicode-segmenter/'

const source = '^packages/ashlar/src/'

/** Files in `src/` itself are doors: one per subpath export, re-exports only. */
const door = `${source}[^/]+\\.ts$`

function reach(layer) {
  return new Set([layer, ...layers[layer].flatMap((below) => [...reach(below)])])
}

function only(layer) {
  const allowed = [...reach(layer)]
  return {
    name: `${layer}-imports-only-what-is-below-it`,
    comment: `${layer}/ may import from ${allowed.join(', ')}`,
    severity: 'error',
    from: { path: `${source}${layer}/` },
    to: { path: source, pathNot: `${source}(${allowed.join('|')})/` },
  }
}

export default {
  forbidden: [
    ...Object.keys(layers).map(only),
    {
      name: 'testing-takes-values-only-from-error-text-chunk',
      comment: 'The contract suites judge implementations; of anything above chunk/ they know the types alone.',
      severity: 'error',
      from: { path: `${source}testing/` },
      to: { path: source, pathNot: `${source}(error|text|chunk|testing)/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-unknown-layer',
      comment: 'A new folder needs a row in the layer table.',
      severity: 'error',
      from: {},
      to: { path: `${source}[^/]+/`, pathNot: `${source}(${[...Object.keys(layers), 'testing'].join('|')})/` },
    },
    {
      name: 'nothing-imports-a-door',
      severity: 'error',
      from: { path: source },
      to: { path: door },
    },
    {
      name: 'no-cycle',
      severity: 'error',
      from: { path: source },
      to: { circular: true },
    },
    {
      name: 'text-and-chunk-run-anywhere',
      comment: 'text/ and chunk/ must run in a browser.',
      severity: 'error',
      from: { path: `${source}(error|text|chunk)/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'library-imports-no-development-package',
      comment: 'What the library imports is a peer, a dependency, or inlined.',
      severity: 'error',
      from: { path: source },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional'], pathNot: inlined },
    },
    {
      name: 'no-unresolvable',
      comment: 'Our own packages are there once they are built, and this is checked before.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^ashlar(-potion)?(/|$)' },
    },
    {
      name: 'library-imports-no-test',
      severity: 'error',
      from: { path: source },
      to: { path: '^(packages/[^/]+/test|bench|evals|scripts)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'packages/ashlar/tsconfig.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
}
