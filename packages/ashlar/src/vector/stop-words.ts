import type { StopWords } from './token-filter.ts'

/** No stop words: every token with a letter or a digit is kept. */
export const noStopWords: StopWords = { id: 'all', words: new Set() }

/**
 * Words of English that hold sentences together and name nothing: articles, prepositions, conjunctions, pronouns, auxiliaries.
 *
 * Negations and `how`, `why`, `when`, `where` are not in it: they change what a passage says or asks for.
 */
export const englishStopWords: StopWords = {
  id: 'en-1',
  words: new Set(
    `a an the this that these those
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself
    we us our ours ourselves they them their theirs themselves one ones
    am is are was were be been being do does did doing done have has had having
    will would shall should can could may might must ought
    and or but if because as so than then though although while whereas
    of at by for with about against between into through during to from in out on off over under up down upon within without
    what which who whom whose there here
    s t d ll m re ve o y
    just also very too only own same such some any each both more most other another
    again further once however thus hence`.split(/\s+/),
  ),
}
