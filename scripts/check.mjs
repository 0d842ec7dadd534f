/**
 * Runs every check of the project, one after the other, and ends with `N passed, N failed`.
 *
 * Each step counts as one; the test step counts each of its tests instead. A failing step does not hide the ones after
 * it. With arguments (`npm run check -- lint types`) only the steps named are run.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const report = fileURLToPath(new URL('../.cache/tests.json', import.meta.url))

const steps = ['lint', 'types', 'layers', 'unused', 'shape', 'test']

/** @param {string} step */
function run(step) {
  const args = step === 'test' ? ['--', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : []
  const { status, signal, error } = spawnSync('npm', ['run', '--silent', step, ...args], { cwd: root, stdio: 'inherit' })
  if (error) throw error
  return status === 0 && signal === null
}

/**
 * Reads what the test runner wrote. A run that broke outside a test (a file that does not load, an unhandled rejection)
 * has no failing test to count, so it counts as one failure.
 *
 * @param {boolean} ok
 */
function readTestReport(ok) {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'))
  return {
    passed: numPassedTests,
    failed: numFailedTests === 0 && (!ok || numPassedTests === 0) ? 1 : numFailedTests,
    skipped: numPendingTests + numTodoTests,
  }
}

const wanted = process.argv.slice(2)
for (const name of wanted)
  if (!steps.includes(name)) throw new RangeError(`No check is called ${name}; there are: ${steps.join(', ')}`)

mkdirSync(new URL('../.cache', import.meta.url), { recursive: true })
rmSync(report, { force: true })

let passed = 0
let failed = 0
let skipped = 0
const lines = []
for (const step of wanted.length > 0 ? wanted : steps) {
  console.log(`\n--- ${step}`)
  const start = performance.now()
  const ok = run(step)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (step === 'test') {
    const tests = readTestReport(ok)
    passed += tests.passed
    failed += tests.failed
    skipped += tests.skipped
  } else if (ok) passed++
  else failed++
  lines.push(`${ok ? 'ok  ' : 'FAIL'} ${step.padEnd(7)} ${seconds} s`)
}

console.log(`\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 ? 1 : 0
