import { graphemes } from 'ashlar'

/** Characters that take two columns: East Asian ones and pictures. */
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}])/u
const none = /^[\p{Mn}\p{Me}\p{Cf}]/u

/** Columns that a character as a reader sees it takes. */
export function characterWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2
  return none.test(grapheme) ? 0 : 1
}

/** Columns that a text without colours takes. */
export function textWidth(text: string): number {
  // Most text is plain, and looking at each character is slow.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { start, end } of graphemes(text)) width += characterWidth(text.slice(start, end))
  return width
}

/** As much of a text as fits, with `…` for what does not. */
export function fitText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let width = 0
  let kept = ''
  for (const { start, end } of graphemes(text)) {
    const character = text.slice(start, end)
    width += characterWidth(character)
    if (width > columns - 1) break
    kept += character
  }
  return columns < 1 ? '' : `${kept}…`
}
