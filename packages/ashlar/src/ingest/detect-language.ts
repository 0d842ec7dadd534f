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

/** A script that one language has for itself, or nearly. */
const scripts: readonly (readonly [string, RegExp])[] = [
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['kn', /\p{Script=Kannada}/gu],
  ['ml', /\p{Script=Malayalam}/gu],
  ['gu', /\p{Script=Gujarati}/gu],
  ['pa', /\p{Script=Gurmukhi}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['hy', /\p{Script=Armenian}/gu],
  ['km', /\p{Script=Khmer}/gu],
  ['my', /\p{Script=Myanmar}/gu],
  ['am', /\p{Script=Ethiopic}/gu],
]

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
  const letters = countOf(sample, /\p{L}/gu)
  if (letters === 0) return undefined
  const han = countOf(sample, /\p{Script=Han}/gu)
  const kana = countOf(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu)
  // A character of these says as much as a word.
  if (han + kana > letters * 0.4 && han + kana >= 2) {
    return kana > (han + kana) * 0.08 ? said('ja', (han + kana) / letters) : said('zh', han / letters)
  }
  for (const [code, script] of scripts) {
    const found = countOf(sample, script)
    if (found > letters * 0.2 && found >= 3) return said(code, found / letters)
  }
  const words = wordsOf(sample)
  for (const [script, lists] of [
    [/\p{Script=Cyrillic}/gu, cyrillicWords],
    [/\p{Script=Arabic}/gu, arabicWords],
    [/\p{Script=Devanagari}/gu, devanagariWords],
  ] as const) {
    const found = countOf(sample, script)
    if (found > letters * 0.2 && found >= 3) return byWords(words, lists, sharedScriptLetters, found / letters)
  }
  // Code has everyday words in it too, among signs that prose does not have.
  if (letters < fewestLetters || countOf(sample, /[{}()[\]=<>;_+*/\\|]/gu) > letters * 0.15) return undefined
  return byWords(words, latinWords, latinLetters, 0)
}

/** The words that begin small, since names are of any language; all of them where hardly any does. */
function wordsOf(sample: string): readonly string[] {
  const words = sample.match(/[\p{L}\p{M}]+/gu) ?? []
  const small = words.filter((word) => !/^\p{Lu}/u.test(word))
  return small.length >= 3 ? small : words.map((word) => word.toLowerCase())
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

/** The language whose everyday words make up most of a text; `floor` is how sure its script alone makes us that it is one of these. */
function byWords(
  words: readonly string[],
  lists: Readonly<Record<string, string>>,
  letters: Readonly<Record<string, string>>,
  floor: number,
): DetectedLanguage | undefined {
  const scores = Object.entries(lists)
    .map(([code, list]) => {
      const known = wordSet(code, list)
      const own = new Set(letters[code] ?? '')
      let points = 0
      for (const word of words) {
        if (known.has(word)) points += word.length > 1 ? 1 : 0.4
        else if (own.size > 0) for (const letter of word) if (own.has(letter)) points += 0.12
      }
      return { code, points: points / Math.max(1, words.length) }
    })
    .sort((one, other) => other.points - one.points)
  const [first, second] = scores as [(typeof scores)[number], (typeof scores)[number]]
  const lead = first.points === 0 ? 0 : (first.points - second.points) / first.points
  // About every third word is an everyday one; few words are little evidence.
  const evidence = Math.min(1, first.points / 0.3) * (1 - 0.8 ** words.length)
  const confidence = Math.max(evidence * Math.min(1, 0.5 + lead), floor * 0.5)
  return first.points < 0.08 && floor === 0 ? undefined : said(first.code, confidence)
}

const sets = new Map<string, ReadonlySet<string>>()

function wordSet(code: string, list: string): ReadonlySet<string> {
  const set = sets.get(code) ?? new Set(list.split(' '))
  sets.set(code, set)
  return set
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

function countOf(text: string, expression: RegExp): number {
  let found = 0
  for (const _ of text.matchAll(expression)) found++
  return found
}
