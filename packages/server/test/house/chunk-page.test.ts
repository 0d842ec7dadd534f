import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { browser, isMissing } from '../../../ashlar/test/house/runtimes.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runBin } from './run-bin.ts'

const paragraph =
  'Lay the long stones across the wall, so that they tie both faces together, and fill its heart with small ones. '
const text = `# <img src=x onerror="document.title='owned'">

${paragraph.repeat(4)}

## Roofs </script><script>document.title='owned'</script>

${paragraph.repeat(3)}
`

test.skipIf(isMissing(browser))('the page of a cut shows every piece, answers keys and mouse, and asks nobody', async () => {
  await using folder = await temporaryFolder({ 'a.md': text })
  const args = ['chunk', 'a.md', '--overlap', '60']
  expect((await runBin(folder.path, [...args, '--html', 'a.html'])).exit).toBe(0)
  const [{ children }] = JSON.parse((await runBin(folder.path, [...args, '--json'])).out)
  const context = await chromium.launchPersistentContext(join(folder.path, 'profile'), {
    executablePath: browser.file,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    viewport: { width: 1200, height: 500 },
  })
  try {
    const tab = await context.newPage()
    const troubles: string[] = []
    const requests: string[] = []
    tab.on('pageerror', (error) => troubles.push(String(error)))
    tab.on('console', (message) => troubles.push(message.text()))
    tab.on('request', (request) => requests.push(request.url()))
    const page = pathToFileURL(join(folder.path, 'a.html')).href
    await tab.goto(page)
    expect(await tab.title()).toBe('a.md: cuts')

    const pieces = tab.locator('.child')
    expect(await pieces.count()).toBe(children.length)
    // What is shown is the text, once: the parts that repeat are marks.
    const shown = await pieces.evaluateAll((all) => all.map((one) => one.textContent?.replace('⟲', '')).join(''))
    expect(shown).toBe(text)

    const panel = tab.locator('aside')
    await pieces.nth(1).click()
    expect(await panel.innerText()).toContain('Child 2')
    expect(await panel.innerText()).toContain(`${children[1].start}-${children[1].end}`)
    expect(await panel.innerText()).toContain('Repeated from the piece before:')
    await tab.keyboard.press('ArrowDown')
    expect(await panel.innerText()).toContain('Child 3')
    await tab.keyboard.press('End')
    expect(await panel.innerText()).toContain(`Child ${children.length}`)
    expect((await pieces.last().boundingBox())?.y).toBeLessThan(500)
    await tab.keyboard.press('Home')
    expect(await tab.locator('.child.on').count()).toBe(1)
    expect(await tab.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Child 1')

    const paper = (): Promise<string> => tab.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await tab.emulateMedia({ colorScheme: 'dark' })
    expect(await paper()).not.toBe(light)
    await tab.setViewportSize({ width: 360, height: 640 })
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)

    expect(await tab.title()).toBe('a.md: cuts')
    expect(troubles).toEqual([])
    expect(requests).toEqual([page])
  } finally {
    await context.close()
  }
})
