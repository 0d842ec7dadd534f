import type { CorpusDocument } from './corpus.ts'
import type { DocumentStructure } from './document-structure.ts'
import { type Question, question } from './question.ts'

/** How a language says what something is, and asks it. */
interface DefinitionPattern {
  /** The subject, and the verb between it and what it is. */
  readonly says: RegExp
  readonly ask: (subject: string, verb: string) => string
  /** Words that stand for something said before: nobody can ask for those. */
  readonly notSubjects: RegExp
}

const patterns: readonly DefinitionPattern[] = [
  {
    says: /^(.{2,60}?) (is|are) (?:an?|the|one of|any|defined as|called|known as) /u,
    ask: (subject, verb) => `What ${verb} ${subject}?`,
    notSubjects:
      /^(?:it|this|that|these|those|there|here|he|she|they|we|you|i|one|which|what|who|where|when|why|how|if|as|while|although|though|because|since|until|unless|whereas|after|before|during|below|above|such|many|most|few|several|in|on|at|for|from|with|to|by|and|but|or|so|all|every\w*|any\w*|some\w*|nothing|whatever|whoever|each|both|another|other|its|their|his|her|our|your|my|not|no|yes|the (?:first|second|third|last|next|other|result|following|former|latter|goal|idea|aim|problem|reason|answer|same))\b/iu,
  },
  {
    says: /^((?:\S+ ){0,2}\S+) (means|refers to|denotes|stands for) /u,
    ask: (subject) => `What does ${subject} mean?`,
    notSubjects: /^(?:it|this|that|these|those|which|what|he|she|they|we|you|i|one|and|but|or|so)\b/iu,
  },
  {
    says: /^(.{2,60}?) (es|son) (?:una?|unos|unas|el|la|los|las) /u,
    ask: (subject, verb) => `¿Qué ${verb} ${subject}?`,
    notSubjects:
      /^(?:esto|esta|este|estos|estas|eso|esa|ese|ello|él|ella|ellos|ellas|lo|no|sí|que|qué|cuál|si|como|cuando|donde|y|o|pero|su|sus|así|también)\b/iu,
  },
  {
    says: /^(.{2,60}?) (ist|sind) (?:eine?|der|die|das) /u,
    ask: (subject, verb) => `Was ${verb} ${subject}?`,
    notSubjects:
      /^(?:es|das|dies|dieser|diese|dieses|er|sie|wir|ihr|man|hier|da|dort|was|wer|wo|wann|wie|warum|und|oder|aber|so|nicht|sein|seine|ihre)\b/iu,
  },
  {
    says: /^(.{2,60}?) (est|sont) (?:une?|des|les?|la|l['’])/u,
    ask: (subject) => `Qu’est-ce que ${subject} ?`,
    notSubjects:
      /^(?:ce|c['’]|cela|ça|ceci|cette|ces|il|elle|ils|elles|on|nous|vous|je|y|et|ou|mais|si|comme|quand|où|que|qui|son|sa|ses|leur|tel)\b/iu,
  },
]

const longestSentence = 400
const mostWords = 6

/** Asks what something is, where a sentence says so: "A cavity wall is a wall of two leaves" answers "What is a cavity wall?". */
export function* definitionQuestions(
  { id, text }: CorpusDocument,
  { sentences }: DocumentStructure,
): Generator<Question, undefined> {
  for (const { start, end } of sentences) {
    if (end - start > longestSentence) continue
    const sentence = text.slice(start, end)
    for (const { says, ask, notSubjects } of patterns) {
      const [, subject, verb = ''] = says.exec(sentence) ?? []
      if (subject === undefined) continue
      // What stands before a comma or a bracket is not the subject, and markup is nobody's word.
      if (
        notSubjects.test(subject) ||
        /[,;:()[\]{}<>|"“”]/u.test(subject) ||
        !/\p{L}{3,}/u.test(subject) ||
        / (?:that|which|who) /.test(subject)
      )
        break
      if (subject.split(' ').length > mostWords) break
      yield question('definition', ask(plainSubject(subject), verb), [{ document: id, start, end }])
      break
    }
  }
}

/** Without emphasis, and with an article in lower case, since it does not begin the sentence any more. */
function plainSubject(subject: string): string {
  const bare = subject.replace(/[*_`]/g, '')
  return bare.replace(/^(?:An?|The|Una?|El|La|Los|Las|Eine?|Der|Die|Das|Une?|Les?|L['’])(?=[ \p{L}])/u, (article) =>
    / |['’]/.test(bare.charAt(article.length)) || /['’]$/.test(article) ? article.toLowerCase() : article,
  )
}
