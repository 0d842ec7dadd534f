import type { PlanOptions } from 'ashlar'
import type { NodeLibrary } from 'ashlar/node'
import type { NamedSource } from './add-sources.ts'
import { CommandError } from './command-error.ts'
import { count, counted, money } from './numbers.ts'
import { isPaid } from './open-embedder.ts'
import { Progress } from './progress.ts'
import type { Session } from './session.ts'

/**
 * Asks the person before texts are sent to a provider: how many tokens, and what they cost where the price is known.
 *
 * @returns whether to go on: yes where nothing is sent, or where the person said so beforehand.
 * @throws CommandError where nobody can be asked.
 */
export async function mayCost(
  library: NodeLibrary,
  sources: readonly NamedSource[],
  session: Session,
  { claim = true }: Pick<PlanOptions, 'claim'> = {},
): Promise<boolean> {
  const { settings, terminal, yes } = session
  const { embedder, price } = settings.values
  if (!isPaid(embedder) || yes) return true
  using progress = new Progress(session, 'Planning')
  let tokens = 0
  let pieces = 0
  let cost: number | undefined = 0
  for (const { source } of sources) {
    const plan = await library.plan(source, {
      signal: terminal.signal,
      examples: 0,
      claim,
      onEvent: (event) => {
        if (event.type === 'progress') progress.ingest(event)
      },
    })
    tokens += plan.embedding?.usage.inputTokens ?? 0
    pieces += plan.embedding?.toEmbed ?? 0
    cost = cost === undefined || plan.cost === undefined ? undefined : cost + plan.cost
  }
  progress.clear()
  if (pieces === 0) return true
  const amount =
    price === undefined || cost === undefined ? '; the price is not known, give it with --price' : `, about ${money(cost)}`
  return agrees(
    `This sends ${counted(pieces, 'piece')} (about ${count(tokens)} tokens${amount}) to ${embedder}.`,
    'Run it again with --yes, or with --embedder potion, which stays on this machine.',
    session,
  )
}

/**
 * Whether the person agrees to something that may cost money.
 *
 * @throws CommandError where nobody can be asked.
 */
export async function agrees(sentence: string, otherwise: string, { terminal, yes }: Session): Promise<boolean> {
  if (yes) return true
  if (!terminal.input.isTTY) throw new CommandError(`${sentence} Nobody is there to agree to that.`, otherwise)
  return terminal.confirm(`${sentence} Go on?`)
}
