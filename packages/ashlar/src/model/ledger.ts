import { AshlarError } from '../error/ashlar-error.ts'
import { addUsage, costOf, noUsage, type Price, type Usage } from './usage.ts'

/** The most that may be spent. */
export interface Budget {
  /** In the currency of the prices. @default unlimited */
  readonly money?: number
  /** Tokens read and written together. @default unlimited */
  readonly tokens?: number
}

/** What was spent so far. */
export interface Spent {
  /** Requests that left, failed ones included. */
  readonly requests: number
  /** What the providers counted. */
  readonly usage: Usage
  /** Estimates for requests that may have been paid for but whose usage was never told: cut connections, timeouts, unreadable answers. */
  readonly presumed: Usage
  /** Both of them at their prices. */
  readonly money: number
}

/** What is set aside for one call. */
export interface Reservation {
  readonly estimate: Usage
  readonly price: Price | undefined
}

/** Keeps the books: what is reserved for calls under way, and what was spent. */
export class Ledger {
  readonly #budget: Budget
  #reservedMoney = 0
  #reservedTokens = 0
  #open = 0
  #requests = 0
  #usage = noUsage
  #presumed = noUsage
  #money = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  get spent(): Spent {
    return { requests: this.#requests, usage: this.#usage, presumed: this.#presumed, money: this.#money }
  }

  /** Whether the budget has room for a call: `wait` where it might have once calls under way are settled. */
  room({ estimate, price }: Reservation): 'now' | 'wait' | 'never' {
    const { money = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = this.#budget
    const moneyLeft = money - this.#money - cost(estimate, price)
    const tokensLeft = tokens - this.#tokens - total(estimate)
    if (moneyLeft < 0 || tokensLeft < 0) return 'never'
    // Sums of small prices are off by the rounding of their last digit; without calls under way nothing is reserved.
    if (this.#open === 0) return 'now'
    return moneyLeft < this.#reservedMoney || tokensLeft < this.#reservedTokens ? 'wait' : 'now'
  }

  /** The error for a call that there will never be room for. */
  refusal({ estimate, price }: Reservation): AshlarError {
    const spent = { money: this.#money, tokens: this.#tokens }
    const next = { money: cost(estimate, price), tokens: total(estimate) }
    return new AshlarError(
      'BUDGET_SPENT',
      `The next call would exceed the budget: ${describe(this.#budget, spent, next)}. Raise it and run again to pay only for the rest.`,
      { details: { budget: this.#budget, spent, next } },
    )
  }

  reserve({ estimate, price }: Reservation): void {
    this.#open++
    this.#requests++
    this.#reservedMoney += cost(estimate, price)
    this.#reservedTokens += total(estimate)
  }

  /** Ends a reservation with what the provider counted; with the estimate where it may have counted but did not say. */
  settle({ estimate, price }: Reservation, usage: Usage | 'unknown' | 'none'): void {
    this.#open--
    this.#reservedMoney = this.#open === 0 ? 0 : this.#reservedMoney - cost(estimate, price)
    this.#reservedTokens -= total(estimate)
    if (usage === 'none') return
    if (usage === 'unknown') this.#presumed = addUsage(this.#presumed, estimate)
    else this.#usage = addUsage(this.#usage, usage)
    this.#money += cost(usage === 'unknown' ? estimate : usage, price)
  }

  get #tokens(): number {
    return total(this.#usage) + total(this.#presumed)
  }
}

function total({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens
}

function cost(usage: Usage, price: Price | undefined): number {
  return price === undefined ? 0 : costOf(usage, price)
}

function describe(budget: Budget, spent: Required<Budget>, next: Required<Budget>): string {
  const parts: string[] = []
  if (budget.money !== undefined)
    parts.push(`${round(spent.money)} of ${round(budget.money)} spent, ${round(next.money)} to come`)
  if (budget.tokens !== undefined) parts.push(`${spent.tokens} of ${budget.tokens} tokens used, ${next.tokens} to come`)
  return parts.join('; ')
}

function round(money: number): number {
  return Number(money.toPrecision(6))
}
