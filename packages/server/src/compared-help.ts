/** What `--compare` may change, and what is said about it. */
export const comparedSettings: Readonly<Record<string, string>> = {
  size: 'characters of a piece; parents and sections grow with it',
  child: 'characters of a piece',
  parent: 'characters of a parent',
  section: 'characters of a section',
  overlap: 'characters that a piece repeats of the one before',
  preset: 'precise or specification: sizes of the tree',
  expand: 'child, parent or segment: what a hit is',
  semantic: 'on or off: pieces end where the topic changes',
  headings: 'on or off: titles and headings are indexed with every piece',
  tokens: 'on or off: token states are kept, where the embedder gives them',
  embedder: 'as --embedder; none for words alone',
  documents: 'on or off: words of whole documents count',
  enrich: 'on or off: a model writes a context for every piece; needs --model',
}

/** The same for `--help`. Apart from what reads them, so that help is there at once. */
export const comparedHelp: string = `\nSettings to compare:\n${Object.entries(comparedSettings)
  .map(([name, about]) => `  ${name.padEnd(10)} ${about}`)
  .join('\n')}`
