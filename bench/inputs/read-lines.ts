/** The records of a file of JSON lines. */
export function readLines<Record>(text: string): Record[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record)
}
