/**
 * One program for every runtime: cuts texts of many scripts by every format of the root entry and returns chunks and ids as
 * JSON, which must be the same to the letter wherever it runs.
 *
 * @param {typeof import('ashlar')} ashlar
 * @returns {string}
 */
export function cut({ chunkCsv, chunkJson, chunkJsonLines, chunkMarkdown, chunkText, identify, isAshlarError }) {
  const prose = [
    'Dr. Ames paid $3.50 (about 3 EUR) at 5 p.m. to see v1.2.3 of https://example.org/a.b?c=d. "Really?" she asked... He nodded!',
    '石は一つずつ切り出された。壁は百年もった！「本当に？」と彼女は尋ねた。彼はうなずいた。基础很深。墙立了一百年。',
    'पत्थर काटा गया। दीवार सौ साल टिकी रही॥ क्या यह सच है? हाँ।',
    'قُطع الحجر بعناية. هل هذا صحيح؟ نعم، بقي الجدار مئة عام.',
    'หินถูกตัดอย่างประณีต กำแพงตั้งอยู่ร้อยปี จริงหรือ ใช่',
    'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Ça va? Où? Là-bas: l’été, z. B. am 3. Mai.',
    'e\u0301a\u0308\u0323 \u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}\u{1F1E9}\u{1F1EA}\u{1F44D}\u{1F3FD} lone \uD83D and \uDE00, nul \0, joiner \u200D, mark \uFEFF.',
  ]
  const text = Array.from({ length: 12 }, (_, round) =>
    prose.map((one) => `${round}. ${one}`).join(round % 3 === 0 ? '\r\n\r\n' : '\n'),
  ).join('\n\n')
  const markdown = Array.from(
    { length: 8 },
    (_, round) =>
      `${'#'.repeat((round % 3) + 1)} Part ${round}\n\n${prose[round % prose.length]}\n\n- one\n  - two\n- three\n\n| a | b |\n|---|---|\n| ${round} | x |\n| y | z |\n\n\`\`\`js\nlet a = 1\n\nlet b = 2\n\`\`\`\n\n> quoted ${prose[0]}\n`,
  ).join('\n')
  const csv = `id,name\r\n${prose.map((one, row) => `${row},"${one.replaceAll('"', '""')}"\r\n`).join('')}`
  const records = prose.map((one, id) => ({ id, text: one, tags: ['a', { deep: [id, null, true] }] }))

  let code = 'none'
  try {
    for (const _ of chunkText('x', 0)) code = 'nothing thrown'
  } catch (error) {
    code = isAshlarError(error) ? error.code : String(error)
  }

  const cuts = [60, 240, { size: 120, overlap: 0, trim: false }].map((options) => ({
    text: [...identify(chunkText(text, options))],
    markdown: [...identify(chunkMarkdown(markdown, options))],
    csv: [...identify(chunkCsv(csv, options))],
    json: [...identify(chunkJson(JSON.stringify(records, null, 1), options))],
    jsonLines: [...identify(chunkJsonLines(records.map((record) => JSON.stringify(record)).join('\n'), options))],
  }))
  return JSON.stringify({ code, cuts })
}
