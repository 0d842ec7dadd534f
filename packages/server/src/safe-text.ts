/**
 * Stored text as a terminal may show it: what would move the cursor, change the window or turn the direction of writing becomes a
 * visible character. One character for one, so that offsets stay what they are. Line ends stay; tabs become spaces.
 */
export function safeText(text: string): string {
  return text.replace(unsafe, visible)
}

/** The same for what must stay on one line, such as an id or a title. */
export function safeLine(text: string): string {
  return safeText(text).replace(/\n/g, '␊')
}

/**
 * The last line of defence, where everything is written: of all control characters only line ends and colours pass.
 */
export function onlyColours(text: string): string {
  return text.replace(/(\u001b\[[\d;]{0,20}m)|[^\P{Cc}\n]/gu, (found, colour: string | undefined) => colour ?? visible(found))
}

/** Control characters but line feeds, and those that turn the direction of writing or end a line in some terminals. */
const unsafe = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/gu

function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (character === '\t' || character === '\r' || character === '\u2028' || character === '\u2029') return ' '
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '␡' : '\ufffd'
}
