import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type { Example } from './example.ts'
import { doors, impliedImports } from './implied-imports.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Node before 22.18 wants to be asked before it runs TypeScript, as the examples of internal things need. */
const stripTypes = process.features.typescript ? [] : ['--experimental-strip-types']

/** Where an example stands, for people: `README.md:12`. */
export function place({ path, line }: Example): string {
  return `${path}:${line}`
}

function fileName(example: Example): string {
  return `${example.path.replaceAll('/', '~')}~${example.line}.ts`
}

/** Empty lines before the code make every position in a message the position in the documentation. */
function program(example: Example): string {
  return `${impliedImports(example, doors())}${'\n'.repeat(example.line - 1)}${example.code}\n`
}

/**
 * Writes the examples into a folder of their own inside the checkout, where `ashlar` is the built package, by the name
 * and the export map that a user gets.
 */
export function layOut(examples: readonly Example[]): string {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/examples-'))
  const compilerOptions = {
    ...{ target: 'es2024', lib: ['es2024', 'esnext.disposable'], module: 'nodenext', types: ['node'], strict: true },
    ...{ noEmit: true, moduleDetection: 'force', verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    // Declarations of other packages are not ours to check; those of ours are, in declarations.test.ts.
    ...{ skipLibCheck: true },
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  for (const example of examples) writeFileSync(join(folder, fileName(example)), program(example))
  // The documents that examples speak of, beside them as they would be beside a user's program.
  cpSync(join(root, 'examples/handbook'), join(folder, 'handbook'), { recursive: true })
  return folder
}

/** Type-checks a folder made by {@link layOut} in one run; gives the compiler's messages, or nothing. */
export function compile(folder: string): string {
  const compiler = join(root, 'node_modules/typescript7/bin/tsc')
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const messages = `${stdout}${stderr}`.trim()
  return status === 0 ? messages : messages || `the compiler ended with ${status}`
}

/** Runs one example with node; gives what is wrong with it, or nothing. */
export function run(example: Example, folder: string): string {
  const file = join(folder, fileName(example).replace(/\.ts$/, '.js'))
  const { target, module } = { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.ESNext }
  writeFileSync(
    file,
    ts.transpileModule(program(example), { compilerOptions: { target, module, verbatimModuleSyntax: true } }).outputText,
  )
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...stripTypes, '--no-warnings', file], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  if (signal !== null) return `ended by ${signal}`
  if (status !== 0) return `ended with ${status}:\n${stderr}`
  if (stderr !== '') return `wrote to the error stream:\n${stderr}`
  const printed = tidy(stdout.split('\n'))
  const promised = tidy(example.prints)
  if (printed === promised) return ''
  return promised === ''
    ? `prints, but does not say what; it printed:\n${printed}`
    : `says it prints:\n${promised}\nbut it printed:\n${printed}`
}

function tidy(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()
}
