import type { DetectedLanguage } from './loader.ts'

/** How many code units are looked at, from three places of the text. */
const sampled = 6000

/** Letters that must be there before anything is said. */
const fewestLetters = 12

/**
 * Everyday words of the languages that share the Latin alphabet, a few dozen each: in running text every second or third word is one of
 * them, in another language hardly any.
 */
const latinWords: Readonly<Record<string, string>> = {
  en: 'the of and to in is that for it was on are as with his they at be this from have or by not but what all were when we there can an your which their if will each about how up out them then she many some so these would other into has more her like him see could no than been its who now did may over such only also most under while between after before where because through during does had',
  de: 'der die das und ist nicht ein eine zu den dem von mit auf für sich als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wenn können ihre unter wir ich du ihr des im kann keine dieser diese ohne wegen zwischen',
  fr: 'le la les de des du et un une est que qui dans pour pas sur au avec il elle ce cette par plus ne se sont aux mais ou son sa ses nous vous ils elles leur leurs été être avoir fait comme tout aussi bien sans entre même ont était deux peut où très après avant encore alors donc chaque',
  es: 'el la los las de del y en que un una es por con para no se su al lo como más pero sus le ya este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos e esto antes algunos unos otro fue ser son está había han',
  pt: 'o a os as de do da dos das e em no na nos nas que um uma é por com para não se seu sua ao como mais mas foi ele ela já este esta entre quando muito sem sobre também até há onde quem desde todo durante todos uns às pelo pela são está você eles isso tem ser ou foram',
  it: 'il lo la i gli le di del della dei delle e che un una è per con non si da in al alla nel nella sono come più ma anche ha suo sua questo questa tra quando molto senza su fino dove chi ogni tutti essere stato era loro degli dalla dal sul sulla cui ed o se ne ci',
  nl: 'de het een en van in is dat op te zijn met voor niet aan er om ook als dan maar bij door uit naar worden was werd hij ze zij wij deze dit die heeft hebben nog wel kan meer over tot tussen geen na wordt hun je ik onder veel moet zonder waar wie elk',
  sv: 'och att det i en på är som för av med till den har de inte om ett han men var jag sig från vi så kan när år under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra mycket än här då sedan över bara in blir upp även vad dessa mellan utan',
  da: 'og at det i en på er som for af med til den har de ikke om et han men var jeg sig fra vi så kan når år under også efter eller nu sin der ved mod skal ville kommer ud få findes være havde alle andre meget end her da siden over kun ind bliver op hvad disse mellem uden blev',
  nb: 'og at det i en på er som for av med til den har de ikke om et han men var jeg seg fra vi så kan når år under også etter eller nå sin der ved mot skal ville kommer ut få finnes være hadde alle andre mye enn her da siden over bare inn blir opp hva disse mellom uten ble',
  fi: 'ja on ei se että hän oli mutta kun niin joka ovat myös kuin tai sen mukaan jos ole olla sekä hänen voi vain jälkeen ennen kanssa ollut nyt mitä tämä tämän sitä siitä koska kaikki vielä hyvin noin jo he me ne eli joita jossa',
  pl: 'i w na z do się nie że to jest o za od po jak co przez dla tym oraz ale są był była było które który która jego jej ich może przed tylko już lub tego też więc tak przy być nad ze czy bez między pod każdy jako można',
  cs: 'a v na se je že s z do o to jako pro po by od byl byla bylo jsou ale k za při které který která jeho jejich až nebo podle také ve jen může však tím aby už není mezi tak být před ze co než bez pod své tento každý',
  ro: 'și în de la a cu pe nu este din că o un mai care pentru sunt se au fost prin sau ca dar după într această acest către fi lui lor sa său era între când doar fără până foarte ai al ale asupra avea aceste',
  hu: 'a az és hogy nem is egy van volt meg de csak már ez ezt azt vagy mint ha el még ki kell után fel minden aki amely között nagyon lehet így akkor miatt szerint lesz majd ami azonban több volna két nélkül ezek voltak',
  tr: 've bir bu da de için ile olarak daha çok olan en gibi kadar sonra var ancak ama ne her o ise veya tarafından olduğu değil iki mi ki şu hem yeni diye göre önce üzerinde arasında eden oldu ilk bazı büyük kendi böyle',
  vi: 'và của là có các trong được cho một không với người những đã này khi để từ đến về như ra cũng vào tại theo nhiều trên hay đó năm sau bị phải còn hơn lại nhưng thì mà nếu làm sẽ đang bởi vì',
  id: 'yang dan di dari untuk dengan pada ini itu adalah tidak dalam akan ke oleh juga sebagai atau karena telah bisa dapat lebih saat tersebut mereka ada menjadi antara seperti setelah para hanya banyak bahwa secara kami kita anda sudah tahun',
}

/** Letters that few Latin languages have: a text full of them is one of those. */
const latinLetters: Readonly<Record<string, string>> = {
  de: 'ßäöü',
  fr: 'çœèêùëïûîà',
  es: 'ñ¿¡áíóú',
  pt: 'ãõçâêó',
  it: 'àèìòù',
  sv: 'åäö',
  da: 'æøå',
  nb: 'æøå',
  fi: 'äö',
  pl: 'łąęśćźżńó',
  cs: 'řěůčšžýáí',
  ro: 'ășțțâîşţ',
  hu: 'őűáéíöü',
  tr: 'ğışçöü',
  vi: 'đơưạảấầậắặẹếềệịọốồộớờợụứừựăâêôà',
}

const cyrillicWords: Readonly<Record<string, string>> = {
  ru: 'и в не на что с как это по но он она они из к у за от так же все для было были был при или его её их который которые после также только более может если без между этот этого где когда',
  uk: 'і в не на що з як це по але він вона вони із до у за від так же всі для було були був при або його її їх який які після також тільки більше може якщо без між цей цього де коли та й',
  bg: 'и в не на че с как това по но той тя те от към за така все беше са при или му ги който които след също само повече може ако без между този тази къде когато се да е като',
}

const arabicWords: Readonly<Record<string, string>> = {
  ar: 'في من على إلى أن عن التي الذي هذا هذه كان مع ما لا بعد قبل بين كما هو هي أو ولا كل غير ذلك حيث تم قد',
  fa: 'در از به که این است را با برای آن یک های می بود شد بر تا هم نیز خود کرد شده پس پیش هر یا اما',
  ur: 'کے کی میں ہے اور سے کا کو نے پر یہ کہ ہیں تھا اس ایک بھی جو نہیں تک لیے کر تھے وہ گیا ہو',
}

const devanagariWords: Readonly<Record<string, string>> = {
  hi: 'के की में है और से का को ने पर यह कि हैं था इस एक भी जो नहीं तक लिए कर थे वह गया हो ही तो या',
  mr: 'आहे आणि च्या या ते हे ती तो एक होते होता होती मध्ये साठी नाही पण की त्या केले करून असे आहेत',
  ne: 'छ र को मा ले यो हो पनि गर्न भएको एक तथा गरेको थियो छन् हरू लाई बाट भने गरी',
}

/** A script that one language has for itself, or nearly, in the order in which they are asked. */
const ownScripts: Readonly<Record<string, string>> = {
  th: 'Thai',
  el: 'Greek',
  he: 'Hebrew',
  ko: 'Hangul',
  bn: 'Bengali',
  ta: 'Tamil',
  te: 'Telugu',
  kn: 'Kannada',
  ml: 'Malayalam',
  gu: 'Gujarati',
  pa: 'Gurmukhi',
  ka: 'Georgian',
  hy: 'Armenian',
  km: 'Khmer',
  my: 'Myanmar',
  am: 'Ethiopic',
}

const sharedScriptLetters: Readonly<Record<string, string>> = {
  ru: 'ыэё',
  uk: 'іїєґ',
  bg: 'ъ',
  fa: 'پچژگی',
  ur: 'ٹڈڑےںھہ',
  ar: 'ةىإأؤئ',
  mr: 'ळ',
}

/** Languages that share a script, and what tells them apart. Made when first needed. */
interface Family {
  readonly codes: readonly string[]
  /** For each everyday word the languages that have it, as bits. */
  readonly words: ReadonlyMap<string, number>
  /** For each letter that few of them have, likewise. */
  readonly letters: ReadonlyMap<string, number>
}

const latin = family(latinWords, latinLetters)

const sharedScripts: readonly (readonly [script: string, family: () => Family])[] = [
  ['Cyrillic', family(cyrillicWords, sharedScriptLetters)],
  ['Arabic', family(arabicWords, sharedScriptLetters)],
  ['Devanagari', family(devanagariWords, sharedScriptLetters)],
]

const knownScripts = [
  'Han',
  'Hiragana',
  'Katakana',
  ...Object.values(ownScripts),
  ...sharedScripts.map(([script]) => script),
].map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const)

/** What a character outside of ASCII is; looked up once for each, since asking for properties takes long. */
interface Character {
  readonly isLetter: boolean
  readonly script: string | undefined
}

const characters = new Map<number, Character>()

/** Characters that are kept in mind at most. */
const mostCharacters = 20_000

/**
 * The natural language that most of a text seems to be written in: by script where a script has one language, otherwise by the everyday
 * words and letters of each. Nothing is said of a text that is too short, or of one that reads like none of them, such as code.
 *
 * @example
 * console.log(detectLanguage('Die Brücke wurde im Jahr 1907 gebaut und ist noch nicht erneuert.')?.code) // => de
 * console.log(detectLanguage('x = [a[i] + b[j]]')) // => undefined
 */
export function detectLanguage(text: string): DetectedLanguage | undefined {
  const sample = sampleOf(text)
  const { letters, signs, scripts } = countCharacters(sample)
  if (letters === 0) return undefined
  const han = scripts.get('Han') ?? 0
  const kana = (scripts.get('Hiragana') ?? 0) + (scripts.get('Katakana') ?? 0)
  // A character of these says as much as a word.
  if (han + kana > letters * 0.4 && han + kana >= 2) {
    return kana > (han + kana) * 0.08 ? said('ja', (han + kana) / letters) : said('zh', han / letters)
  }
  const isWrittenIn = (found: number): boolean => found > letters * 0.2 && found >= 3
  for (const [code, script] of Object.entries(ownScripts)) {
    const found = scripts.get(script) ?? 0
    if (isWrittenIn(found)) return said(code, found / letters)
  }
  for (const [script, languages] of sharedScripts) {
    const found = scripts.get(script) ?? 0
    if (isWrittenIn(found)) return byWords(wordsOf(sample), languages(), found / letters)
  }
  // Code has everyday words in it too, among signs that prose does not have.
  if (letters < fewestLetters || signs > letters * 0.15) return undefined
  return byWords(wordsOf(sample), latin(), 0)
}

/** Letters, signs of code, and how many characters of each script that is asked for, in one pass. */
function countCharacters(sample: string): {
  readonly letters: number
  readonly signs: number
  readonly scripts: ReadonlyMap<string, number>
} {
  const scripts = new Map<string, number>()
  let letters = 0
  let signs = 0
  for (let at = 0; at < sample.length; at++) {
    const unit = sample.charCodeAt(at)
    if (unit < 128) {
      const kind = asciiKinds[unit]
      if (kind === letterKind) letters++
      else if (kind === signKind) signs++
      continue
    }
    const code = sample.codePointAt(at) as number
    if (code > 0xffff) at++
    const { isLetter, script } = characterOf(code)
    if (isLetter) letters++
    if (script !== undefined) scripts.set(script, (scripts.get(script) ?? 0) + 1)
  }
  return { letters, signs, scripts }
}

const letterKind = 1
const signKind = 2
const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[A-Za-z]/.test(character) ? letterKind : '{}()[]=<>;_+*/\\|'.includes(character) ? signKind : 0
})

function characterOf(code: number): Character {
  const known = characters.get(code)
  if (known !== undefined) return known
  const character = String.fromCodePoint(code)
  const script = knownScripts.find(([, expression]) => expression.test(character))?.[0]
  const found = { isLetter: /\p{L}/u.test(character), script }
  if (characters.size >= mostCharacters) characters.clear()
  characters.set(code, found)
  return found
}

/** The words that begin small, since names are of any language; all of them where hardly any does. */
function wordsOf(sample: string): readonly string[] {
  const words = sample.match(/[\p{L}\p{M}]+/gu) ?? []
  const small = words.filter((word) => {
    const first = word.charCodeAt(0)
    return first < 128 ? first >= 97 : !/^\p{Lu}/u.test(word)
  })
  return small.length >= 3 ? small : words.map((word) => word.toLowerCase())
}

/** The language whose everyday words make up most of a text; `floor` is how sure its script alone makes us that it is one of these. */
function byWords(
  words: readonly string[],
  { codes, words: known, letters }: Family,
  floor: number,
): DetectedLanguage | undefined {
  const points = codes.map(() => 0)
  const give = (languages: number, value: number): void => {
    for (let bits = languages; bits !== 0; bits &= bits - 1) (points[31 - Math.clz32(bits & -bits)] as number) += value
  }
  for (const word of words) {
    const languages = known.get(word) ?? 0
    give(languages, word.length > 1 ? 1 : 0.4)
    for (let at = 0; at < word.length; at++)
      if (word.charCodeAt(at) > 127) give((letters.get(word[at] as string) ?? 0) & ~languages, 0.12)
  }
  const scores = codes
    .map((code, at) => ({ code, points: (points[at] as number) / Math.max(1, words.length) }))
    .sort((one, other) => other.points - one.points)
  const [first, second] = scores as [(typeof scores)[number], (typeof scores)[number]]
  const lead = first.points === 0 ? 0 : (first.points - second.points) / first.points
  // About every third word is an everyday one; few words are little evidence.
  const evidence = Math.min(1, first.points / 0.3) * (1 - 0.8 ** words.length)
  const confidence = Math.max(evidence * Math.min(1, 0.5 + lead), floor * 0.5)
  return first.points < 0.08 && floor === 0 ? undefined : said(first.code, confidence)
}

function family(lists: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>): () => Family {
  let made: Family | undefined
  return () => {
    made ??= {
      codes: Object.keys(lists),
      words: bitsOf(Object.values(lists).map((list) => list.split(' '))),
      letters: bitsOf(Object.keys(lists).map((code) => [...(own[code] ?? '')])),
    }
    return made
  }
}

function bitsOf(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const bits = new Map<string, number>()
  for (const [at, list] of lists.entries()) for (const entry of list) bits.set(entry, (bits.get(entry) ?? 0) | (1 << at))
  return bits
}

function said(code: string, confidence: number): DetectedLanguage {
  return { code, confidence: Math.round(Math.min(1, confidence) * 100) / 100 }
}

function sampleOf(text: string): string {
  if (text.length <= sampled) return text
  const part = sampled / 3
  const middle = Math.floor(text.length / 2)
  return `${text.slice(0, part)} ${text.slice(middle, middle + part)} ${text.slice(-part)}`
}
