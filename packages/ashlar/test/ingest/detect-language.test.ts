import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { detectLanguage } from '../../src/ingest/detect-language.ts'
import { evaluationFolder } from '../text/shared-data.ts'

const sentences: Readonly<Record<string, string>> = {
  en: 'The wall was built in three weeks and has not moved since.',
  de: 'Die Mauer wurde in drei Wochen gebaut und steht seitdem fest.',
  fr: 'Le mur a été construit en trois semaines et il tient encore.',
  es: 'El muro se construyó en tres semanas y todavía está en pie.',
  pt: 'O muro foi construído em três semanas e ainda não caiu.',
  it: 'Il muro è stato costruito in tre settimane e non si è più mosso.',
  nl: 'De muur werd in drie weken gebouwd en staat er nog steeds.',
  sv: 'Muren byggdes på tre veckor och den har inte rört sig sedan dess.',
  da: 'Muren blev bygget på tre uger, og den har ikke flyttet sig siden.',
  nb: 'Muren ble bygget på tre uker, og den har ikke flyttet seg siden.',
  fi: 'Muuri rakennettiin kolmessa viikossa, ja se on pysynyt paikallaan, kun sitä ei ole siirretty.',
  pl: 'Mur został zbudowany w trzy tygodnie i od tego czasu się nie ruszył.',
  cs: 'Zeď byla postavena za tři týdny a od té doby se nepohnula, protože je pevná.',
  ro: 'Zidul a fost construit în trei săptămâni și nu s-a mai mișcat de atunci.',
  hu: 'A falat három hét alatt építették fel, és azóta sem mozdult meg.',
  tr: 'Duvar üç haftada yapıldı ve o günden sonra hiç yerinden oynamadı, çünkü çok sağlam.',
  vi: 'Bức tường được xây trong ba tuần và từ đó đến nay không hề xê dịch.',
  id: 'Tembok itu dibangun dalam tiga minggu dan tidak pernah bergeser sejak saat itu.',
  ru: 'Стену построили за три недели, и с тех пор она не сдвинулась.',
  uk: 'Стіну збудували за три тижні, і відтоді вона не зрушила з місця.',
  bg: 'Стената беше построена за три седмици и оттогава не се е помръднала.',
  el: 'Ο τοίχος χτίστηκε σε τρεις εβδομάδες.',
  ar: 'تم بناء الجدار في ثلاثة أسابيع ولم يتحرك منذ ذلك الحين.',
  fa: 'این دیوار در سه هفته ساخته شد و از آن زمان تکان نخورده است.',
  ur: 'یہ دیوار تین ہفتوں میں بنائی گئی اور اس کے بعد سے نہیں ہلی ہے۔',
  he: 'החומה נבנתה בתוך שלושה שבועות.',
  hi: 'यह दीवार तीन हफ्तों में बनाई गई और तब से नहीं हिली है।',
  th: 'กำแพงนี้สร้างเสร็จในสามสัปดาห์',
  zh: '这堵墙三个星期就砌好了。',
  ja: 'この石垣は三週間で積み上げられた。',
  ko: '이 담은 삼 주 만에 쌓았다.',
}

describe('the language of one sentence', () => {
  test.each(Object.entries(sentences))('%s', (code, sentence) => {
    expect(detectLanguage(sentence)?.code).toBe(code)
  })
})

test('nothing is said of what is no language', () => {
  for (const text of ['', '12 345', 'x', 'a1b2', 'for (i = 0; i < n; i++) { s += a[i] * b[i]; }', '0xdeadbeef qwrtp zxcvb'])
    expect(detectLanguage(text), text).toBeUndefined()
})

const home = evaluationFolder()
describe.skipIf(home === undefined)('paragraphs of XQuAD', () => {
  test.each(['ar', 'de', 'el', 'en', 'es', 'hi', 'ro', 'ru', 'th', 'tr', 'vi', 'zh'])('in %s', (code) => {
    const path = join(home as string, 'xquad', `xquad.${code}.json.gz`)
    if (!existsSync(path)) return
    const { data } = JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) as {
      readonly data: readonly { readonly paragraphs: readonly { readonly context: string }[] }[]
    }
    const paragraphs = data.flatMap(({ paragraphs }) => paragraphs.map(({ context }) => context))
    const wrong = paragraphs.filter((text) => detectLanguage(text)?.code !== code)
    expect(paragraphs.length).toBeGreaterThan(100)
    // One of the 240 paragraphs is a list of English names in all of the languages.
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(1)
    // Short ones as well: the first ten words of each.
    const short = paragraphs.map((text) =>
      code === 'zh' || code === 'th' ? text.slice(0, 30) : text.split(' ').slice(0, 10).join(' '),
    )
    const right = short.filter((text) => detectLanguage(text)?.code === code).length
    expect(right / short.length).toBeGreaterThan(0.9)
  })
})
