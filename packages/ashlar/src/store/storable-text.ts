/**
 * Whether every engine can hold a text: no NUL, no surrogate without its other half.
 *
 * A store refuses other texts instead of changing them, since what it gives back is what it was given, to the code unit. Who takes text
 * from outside replaces both by U+FFFD, one for one, before cutting it: then no offset moves.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** The text with NUL and halves of surrogate pairs replaced by U+FFFD, one for one, so that no offset moves. */
export function storableText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\u0000', '\ufffd')
}
