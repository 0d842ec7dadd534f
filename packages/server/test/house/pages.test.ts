import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browser, isMissing } from '../../../ashlar/test/house/runtimes.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runBin } from './run-bin.ts'

const subjects = ['lime', 'slate', 'timber', 'glass']
const files = Object.fromEntries(
  subjects.map((subject, at) => [
    `docs/${subject}.md`,
    `# Book of ${subject}\n\n## Buying <b>${subject}</b>\n\nIt is sold by weight at the harbour from ${at + 5} in the morning on. ${'Whoever comes late takes what is left. '.repeat(9)}\n`,
  ]),
)

/** Pages that commands write, opened in a real browser from the file they are. */
describe.skipIf(isMissing(browser))('pages in a browser', () => {
  let chrome: Browser
  beforeAll(async () => {
    chrome = await chromium.launch({ executablePath: browser.file, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  })
  afterAll(() => chrome.close())

  async function opened(
    path: string,
  ): Promise<{ readonly page: Page; readonly troubles: string[]; readonly elsewhere: string[] }> {
    const page = await chrome.newPage()
    const troubles: string[] = []
    const elsewhere: string[] = []
    const url = pathToFileURL(path).href
    page.on('pageerror', (error) => troubles.push(String(error)))
    page.on('console', (message) => troubles.push(message.text()))
    page.on('request', (request) => request.url() !== url && elsewhere.push(request.url()))
    await page.goto(url)
    return { page, troubles, elsewhere }
  }

  test('eval --html shows what to take, plots, and what differs', async () => {
    await using folder = await temporaryFolder(files)
    await runBin(folder.path, ['add', 'docs'])
    const ran = await runBin(folder.path, ['eval', '--compare', 'child=60,300', '--hits', '1', '--html', 'report.html'])
    expect(ran.exit).toBe(0)
    const { page, troubles, elsewhere } = await opened(join(folder.path, 'report.html'))
    expect(await page.locator('.advice').count()).toBe(1)
    expect(await page.locator('svg').count()).toBe(3)
    for (const plot of await page.locator('svg').all()) expect((await plot.boundingBox())?.height).toBeGreaterThan(40)
    const first = page.locator('details').first()
    expect(await first.locator('ol').first().isVisible()).toBe(false)
    await first.locator('summary').click()
    expect(await first.locator('ol').first().isVisible()).toBe(true)
    expect(await first.locator('summary').textContent()).toContain('<b>')
    expect(await page.locator('main b b').count()).toBe(0)
    expect({ troubles, elsewhere }).toEqual({ troubles: [], elsewhere: [] })
  })

  test('quality --html shows sizes and findings', async () => {
    await using folder = await temporaryFolder(files)
    await runBin(folder.path, ['add', 'docs'])
    expect((await runBin(folder.path, ['quality', '--html', 'quality.html'])).exit).toBe(0)
    const { page, troubles, elsewhere } = await opened(join(folder.path, 'quality.html'))
    expect(await page.locator('svg rect').count()).toBeGreaterThan(1)
    expect(await page.locator('section').count()).toBe(4)
    expect({ troubles, elsewhere }).toEqual({ troubles: [], elsewhere: [] })
  })

  test('chunk --html lets a piece be chosen', async () => {
    await using folder = await temporaryFolder(files)
    expect((await runBin(folder.path, ['chunk', 'docs/lime.md', '--html', 'cuts.html'])).exit).toBe(0)
    const { page, troubles, elsewhere } = await opened(join(folder.path, 'cuts.html'))
    await page.locator('.child').first().click()
    expect(await page.locator('aside dl').textContent()).toContain('Child 1')
    expect({ troubles, elsewhere }).toEqual({ troubles: [], elsewhere: [] })
  })
})
