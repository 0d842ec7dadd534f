import { Command, Help, InvalidArgumentError, Option } from 'commander'
import { paintOf } from './colours.ts'
import type { EvalCommandOptions } from './commands/eval.ts'
import type { ListOptions } from './commands/list.ts'
import type { QualityCommandOptions } from './commands/quality.ts'
import type { SearchCommandOptions } from './commands/search.ts'
import { comparedHelp } from './compared-help.ts'
import type { ExitCode } from './exit-code.ts'
import { createSession, type Session } from './session.ts'
import { readSettings, type SettingFlags } from './settings.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

/** Options that every command takes. */
interface GlobalOptions extends SettingFlags {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly yes?: boolean
  readonly debug?: boolean
}

/** A command that has been run: what it ended with. */
export interface Outcome {
  exit: ExitCode
}

/**
 * The command line. Each command's own file is loaded when it is called, so that `--help` is there at once.
 *
 * @param outcome takes what the command ends with.
 */
export function createProgram(terminal: Terminal, outcome: Outcome): Command {
  const program = new Command('ashlar')
  const paint = paintOf(terminal.out)
  const start = examples(['ashlar add docs', 'ashlar search "how do I undo a commit"', 'ashlar sync docs --watch'], paint)

  /** Reads the settings and runs a command with them. */
  const run =
    <Options>(work: (session: Session, options: Options, args: readonly unknown[]) => Promise<ExitCode>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command
      const options = command.optsWithGlobals() as GlobalOptions & Options
      const settings = await readSettings(options, terminal)
      outcome.exit = await work(createSession(terminal, settings, options), options, given.slice(0, -2))
    }

  program
    .description('Finds the right passage in your documents, with its exact place.')
    .version(version, '-V, --version', 'says the version')
    .helpOption('-h, --help', 'shows this')
    .addHelpCommand(new Command('help').argument('[command]').description('shows what a command does').helpGroup('Look after:'))
    .option('--json', 'one JSON document on standard output, all else on standard error')
    .option('-q, --quiet', 'no progress, no notes')
    .option('-y, --yes', 'yes to every question')
    .option('--debug', 'with errors, where in the program they happened')
    .option('--library <place>', 'file or postgres: URL that holds the library (default: .ashlar/library.db of the project)')
    .option('--workspace <name>', 'which of the workspaces in it (default: default)')
    .option('--embedder <name>', 'potion, none, local:<folder>, or <provider>:<model> (default: potion)')
    .option('--price <amount>', 'what a million tokens cost, for estimates and the budget')
    .option('--budget <amount>', 'the most to spend on models')
    .option('--config <file>', 'the file of settings (default: ashlar.json, here or above)')
    .showHelpAfterError('(ashlar --help shows what there is)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
      getOutHelpWidth: () => Math.min(terminal.out.columns, 100),
      getErrHelpWidth: () => Math.min(terminal.err.columns, 100),
      getOutHasColors: () => terminal.out.colour,
      getErrHasColors: () => terminal.err.colour,
      outputError: (text, write) => write(text.replace(/^error:/, paintOf(terminal.err)('red', 'error:'))),
    })
    .configureHelp({
      showGlobalOptions: true,
      formatHelp: (shown, helper) =>
        inOrder(Help.prototype.formatHelp.call(helper, shown, helper), shown === program ? start : ''),
      styleTitle: (text) => paint('bold', text),
      styleCommandText: (text) => paint('cyan', text),
      styleSubcommandText: (text) => paint('cyan', text),
    })

  const command = (usage: string, summary: string, shown: readonly string[]): Command =>
    program
      .command(usage)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
      .helpOption('-h, --help', 'shows this')
      .addHelpText('after', examples(shown, paint))

  program.commandsGroup('Begin:')
  command('init [folder]', 'writes ashlar.json, the settings of a project', [
    'ashlar init',
    'ashlar init --yes --folder docs --embedder none',
  ])
    .option('--folder <path>', 'the folder that holds the documents')
    .option('--force', 'writes over one that is there')
    .action(
      run(async (session, options: { force?: boolean }, [folder]) => {
        const { init } = await import('./commands/init.ts')
        return init(folder as string | undefined, options, session)
      }),
    )
  folderOptions(
    command('add <what...>', 'adds files, folders, URLs, or - for standard input', [
      'ashlar add docs report.pdf',
      'ashlar add src --include "**/*.ts"',
      'git log | ashlar add - --id history --name history.txt',
    ]),
  )
    .option('--id <id>', 'the id of what comes from standard input')
    .option('--name <name>', 'its file name, which decides how it is read')
    .option('--allow-private', 'also URLs of this machine and its network')
    .action(
      run(async (session, options: { id?: string; name?: string; allowPrivate?: boolean }, [what]) => {
        const { add } = await import('./commands/add.ts')
        return add(what as string[], options, session)
      }),
    )

  folderOptions(
    command('sync [folder]', 'keeps the library in step with a folder: adds, replaces, moves, removes', [
      'ashlar sync docs',
      'ashlar sync docs --watch',
      'ashlar sync --no-remove',
    ]),
  )
    .option('-w, --watch', 'again whenever something changes, until Ctrl-C')
    .option(
      '--no-remove',
      'keeps documents whose files are gone; else many of them are removed only after a question, or with --yes',
    )
    .action(
      run(async (session, options: { watch?: boolean; remove: boolean }, [folder]) => {
        const { sync } = await import('./commands/sync.ts')
        return sync(folder as string | undefined, options, session)
      }),
    )
  folderOptions(
    command('plan [folder]', 'says what sync would do now, and what it would cost', [
      'ashlar plan docs',
      'ashlar plan docs --json',
    ]),
  )
    .option('--examples <number>', 'how many of each kind are named', wholeNumber, 10)
    .action(
      run(async (session, options: { examples: number }, [folder]) => {
        const { plan } = await import('./commands/plan.ts')
        return plan(folder as string | undefined, options, session)
      }),
    )
  command('chunk <file>', 'shows how a file is cut', [
    'ashlar chunk guide.md',
    'ashlar chunk report.pdf --html cuts.html',
    'ashlar chunk guide.md --child 500 --parent 1500 --overlap 50 --json',
  ])
    .option('--child <number>', 'most characters of a child', wholeNumber)
    .option('--parent <number>', 'most characters of a parent', wholeNumber)
    .option('--section <number>', 'most characters of a section', wholeNumber)
    .option('--overlap <number>', 'characters of a child that the next one repeats', wholeNumber)
    .option('--html <file>', 'writes a page to look at instead')
    .action(
      run(
        async (
          session,
          options: { child?: number; parent?: number; section?: number; overlap?: number; html?: string },
          [file],
        ) => {
          const { chunk } = await import('./commands/chunk.ts')
          return chunk(file as string, options, session)
        },
      ),
    )

  program.commandsGroup('Ask:')
  searchFlags(
    command('search <query...>', 'finds passages', [
      'ashlar search how do I undo a commit',
      'ashlar search \'"exact phrase"\' --limit 3',
      'ashlar search refunds --explain',
    ]),
  )
    .option('--explain', 'says how each hit came about')
    .option('--why <piece>', 'says why a piece was returned, or why not; with --document')
    .option('--document <id>', 'the document that the piece is in')
    .action(
      run(async (session, options: SearchCommandOptions, [query]) => {
        const { search } = await import('./commands/search.ts')
        return search((query as string[]).join(' '), options, session)
      }),
    )

  searchFlags(
    command('ask <question...>', 'answers from the documents, with citations', [
      'ashlar ask how long do refunds take --model openai:gpt-5-mini',
      'ashlar ask "who may approve a loan" --expand parent',
    ]),
  )
    .option('--model <name>', 'the language model, as <provider>:<model>; without one the passages are shown')
    .action(
      run(async (session, options: SearchCommandOptions, [question]) => {
        const { ask } = await import('./commands/ask.ts')
        return ask((question as string[]).join(' '), options, session)
      }),
    )
  command('mcp', 'serves the library to agents over standard input and output (MCP)', [
    'ashlar mcp',
    'claude mcp add docs -- npx ashlar mcp --library /path/to/library.db',
  ])
    .option('--max-tokens <number>', 'most tokens of an answer', wholeNumber, 4000)
    .option('--prefix <name>', 'put before the names of the tools', '')
    .action(
      run(async (session, options: { maxTokens: number; prefix: string }) => {
        const { mcp } = await import('./commands/mcp.ts')
        return mcp(options, session)
      }),
    )

  program.commandsGroup('Look after:')
  command('list', 'lists documents', ['ashlar list', 'ashlar list --limit 1000 --json', `ashlar list --where '{"year": 2024}'`])
    .option('--limit <number>', 'most documents', wholeNumber, 100)
    .option('--after <id>', 'goes on after this one')
    .option('--where <json>', 'only documents with such metadata')
    .action(
      run(async (session, options: ListOptions) => {
        const { list } = await import('./commands/list.ts')
        return list(options, session)
      }),
    )
  command('get <id>', 'writes the text of a document', ['ashlar get docs/guide.md', 'ashlar get docs/guide.md | wc -w']).action(
    run(async (session, _options, [id]) => {
      const { get } = await import('./commands/get.ts')
      return get(id as string, session)
    }),
  )
  command('status', 'says what the library holds and where each setting comes from', [
    'ashlar status',
    'ashlar status --json',
  ]).action(
    run(async (session) => {
      const { status } = await import('./commands/status.ts')
      return status(session)
    }),
  )
  command('remove <id...>', 'erases documents', ['ashlar remove docs/old.md', 'ashlar remove docs/a.md docs/b.md --yes']).action(
    run(async (session, _options, [ids]) => {
      const { remove } = await import('./commands/remove.ts')
      return remove(ids as string[], session)
    }),
  )
  command('verify', 'checks everything that is stored', ['ashlar verify', 'ashlar verify --sample 20 --json'])
    .option('--sample <number>', 'pieces of each document that are searched for', wholeNumber, 2)
    .action(
      run(async (session, options: { sample: number }) => {
        const { verify } = await import('./commands/verify.ts')
        return verify(options, session)
      }),
    )
  command('quality', 'looks at the pieces: sizes, lost headings, loose references, duplicates, what nothing finds', [
    'ashlar quality',
    'ashlar quality --questions 500 --show 10',
    'ashlar quality --html quality.html',
  ])
    .option('--questions <number>', 'questions made from the documents to see what is found; 0 asks none', countFromZero, 200)
    .option('--hits <number>', 'hits of a question that count as found', wholeNumber, 10)
    .option('--likeness <share>', 'how alike two pieces must be to count as the same, 0 to 1', share, 0.8)
    .option('--show <number>', 'findings of each kind that are shown', wholeNumber, 3)
    .option('--html <file>', 'also writes a page with all that was found')
    .action(
      run(async (session, options: QualityCommandOptions) => {
        const { quality } = await import('./commands/quality.ts')
        return quality(options, session)
      }),
    )
  command('eval', 'asks questions with known answers, and compares ways to cut and search', [
    'ashlar eval',
    'ashlar eval --compare expand=child,parent',
    'ashlar eval --compare size=200,400,800 --html report.html',
    'ashlar eval --compare embedder=none,potion,local:models/minilm size=500',
  ])
    .option('--compare <setting=values...>', 'compares configurations: first values against second ones (settings are below)')
    .option('--questions <number>', 'most questions', wholeNumber, 200)
    .addOption(
      new Option('--from <kinds...>', 'what questions are made from').choices([
        'heading',
        'definition',
        'fact',
        'feedback',
        'model',
      ]),
    )
    .option('--model <name>', 'a language model that writes half of the questions, as <provider>:<model>')
    .option('--hits <number>', 'hits that are handed over', wholeNumber, 5)
    .option('--tokens <number>', 'the budget that evidence is counted in as well', wholeNumber, 800)
    .option('--sample <characters>', 'most characters that are cut and indexed again', wholeNumber, 2_000_000)
    .option('--show <number>', 'questions that differ most to show', countFromZero, 3)
    .option('--html <file>', 'also writes a page with plots and the questions that differ')
    .addHelpText('after', comparedHelp)
    .action(
      run(async (session, options: EvalCommandOptions) => {
        const { evaluate } = await import('./commands/eval.ts')
        return evaluate(options, session)
      }),
    )
  command('doctor', 'looks at all that this depends on, and says what to do', ['ashlar doctor', 'ashlar doctor --json']).action(
    run(async (session) => {
      const { doctor } = await import('./commands/doctor.ts')
      return doctor(session)
    }),
  )
  return program
}

/** Which files of a folder count. */
function folderOptions(command: Command): Command {
  return command
    .option('--include <pattern...>', 'only files like these, as "**/*.md"')
    .option('--exclude <pattern...>', 'no files or folders like these (default: **/node_modules)')
    .option('--no-gitignore', 'also files that .gitignore leaves out')
    .option('--hidden', 'also files whose names begin with a dot')
}

function searchFlags(command: Command): Command {
  return command
    .option('-n, --limit <number>', 'most hits', wholeNumber, 5)
    .addOption(new Option('--expand <what>', 'what a hit is').choices(['child', 'parent', 'segment']).default('child'))
    .option('--min-score <number>', 'leaves out hits with a lower score', anyNumber)
    .option('--max-tokens <number>', 'most tokens of all hits together', wholeNumber)
    .option('--where <json>', 'only documents with such metadata')
    .option('--lines <number>', 'most lines of a passage', wholeNumber, 6)
    .option('--full', 'whole passages')
}

/** Help with what one looks for first: the examples of the first screen, then commands, then options. */
function inOrder(text: string, start: string): string {
  const parts = text.trimEnd().split('\n\n')
  const isOption = (part: string): boolean => /^(\u001b\[\d+m)?(Global )?Options:/.test(part)
  const [usage = '', ...rest] = parts.filter((part) => !isOption(part))
  const [description = '', ...commands] = rest
  return `${[usage, description, ...(start === '' ? [] : [start.trim()]), ...commands, ...parts.filter(isOption)].join('\n\n')}\n`
}

function examples(lines: readonly string[], paint: (colour: 'bold' | 'cyan' | 'dim', text: string) => string): string {
  return `\n${paint('bold', 'Examples:')}\n${lines.map((line) => `  ${paint('dim', '$')} ${line}`).join('\n')}`
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 1) return number
  throw new InvalidArgumentError('It must be a whole number of at least 1.')
}

function countFromZero(text: string): number {
  return text.trim() === '0' ? 0 : wholeNumber(text)
}

function share(text: string): number {
  const number = anyNumber(text)
  if (number > 0 && number <= 1) return number
  throw new InvalidArgumentError('It must be more than 0 and at most 1.')
}

function anyNumber(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw new InvalidArgumentError('It must be a number.')
}
