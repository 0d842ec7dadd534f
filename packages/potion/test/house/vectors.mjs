/**
 * One program for every runtime: embeds texts of many scripts and returns the identity, the vectors and the token states bit by
 * bit, which must be the same wherever it runs.
 *
 * @param {() => Promise<import('ashlar/models').Embedder>} potion
 * @returns {Promise<string>}
 */
export async function embedAll(potion) {
  const embedder = await potion()
  const texts = [
    'Dr. Ames paid $3.50 (about 3 EUR) at 5 p.m. to see v1.2.3 of https://example.org/a.b?c=d. "Really?" she asked...',
    '石は一つずつ切り出された。壁は百年もった！',
    'पत्थर काटा गया। दीवार सौ साल टिकी रही॥',
    'قُطع الحجر بعناية. هل هذا صحيح؟',
    'หินถูกตัดอย่างประณีต',
    'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Ça va? ΣΟΦΟΣ',
    'e\u0301a\u0308\u0323 \u{1F468}\u200D\u{1F469} lone \uD83D and \uDE00, nul \0, mark \uFEFF.',
    '',
    'the stones of the wall and the stones of the tower '.repeat(200),
  ]
  const { vectors, tokens = [], usage } = await embedder.embed(texts, { as: 'document', tokens: true })
  const bits = (/** @type {Float32Array} */ numbers) => [...new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length)]
  return JSON.stringify({
    identity: embedder.identity,
    usage,
    vectors: vectors.map(bits),
    tokens: tokens.map(({ ids, starts, ends, states }) => [[...ids], [...starts], [...ends], bits(states.subarray(0, 2048))]),
  })
}
