/** A page of one file: nothing is fetched, light and dark. */
export function htmlPage(page: {
  readonly title: string
  /** HTML; what it holds of others is escaped. */
  readonly body: string
  /** Beside what all pages share. */
  readonly style?: string
  readonly script?: string
}): string {
  const { title, body, style = '', script } = page
  const allowed = `default-src 'none'; style-src 'unsafe-inline'${script === undefined ? '' : "; script-src 'unsafe-inline'"}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${allowed}">
<title>${escapeHtml(title)}</title>
<style>${shared}${style}</style>
</head>
<body>
${body}${script === undefined ? '' : `\n<script>${script}</script>`}
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  // Characters that turn the direction of writing would show the text in another order than it stands in.
  return text.replace(/[&<>"']/g, (character) => named[character] ?? character).replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}

const shared = `
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fdfdfb; --line: #b9b5ab; --dim: #5f5b53; --on: #1257a0 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #17181a; --line: #4b4d52; --dim: #a5a29a; --on: #8cc4ff } }
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif }
main { padding: 1.5rem; max-width: 56rem }
h1 { font-size: 1.3rem; margin: 0; overflow-wrap: anywhere }
.facts { color: var(--dim); margin: .2rem 0 }
`
