/** What stands outside the fences of rendered evidence, read line by line as a model would, and how many fences there are. */
export function outsideFences(text: string, code: string): { readonly outside: string; readonly fences: number } {
  const outside: string[] = []
  let inside = false
  let fences = 0
  // Everything that any reader might take for the end of a line.
  for (const line of text.split(/\r\n|[\n\r\u000b\u000c\u0085\u2028\u2029]/)) {
    if (!inside && line === `<<<${code}`) {
      inside = true
      fences++
    } else if (inside && line === `${code}>>>`) inside = false
    else if (!inside) outside.push(line)
  }
  if (inside) throw new Error('a fence is not closed')
  return { outside: outside.join('\n'), fences }
}
