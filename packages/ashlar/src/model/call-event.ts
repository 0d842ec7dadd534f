import type { AshlarError } from '../error/ashlar-error.ts'
import type { Usage } from './usage.ts'

/** What kind of model a call goes to. */
export type CallKind = 'embed' | 'generate' | 'rerank'

/** What all events of a call have in common. */
interface OfCall {
  readonly kind: CallKind
  /** Counts the calls of one caller; attempts of the same call share it. */
  readonly call: number
  /** 1 for the first. */
  readonly attempt: number
  /** Texts or prompts that the call carries. */
  readonly items: number
}

/**
 * What happens while models are called, for progress bars and logs. Events come in the order of what they report; a listener
 * that throws disturbs nothing but itself.
 */
export type CallEvent =
  /** A request leaves; `tokens` is the estimate that was reserved for it. */
  | (OfCall & { readonly type: 'call-start'; readonly tokens: number })
  /** Its answer came and is sound; `cost` is 0 where no price is known. */
  | (OfCall & { readonly type: 'call-answer'; readonly usage: Usage; readonly cost: number; readonly milliseconds: number })
  /** It failed and will be asked again after `wait` milliseconds; `waited` is what the call has waited before. */
  | (OfCall & { readonly type: 'call-retry'; readonly error: AshlarError; readonly wait: number; readonly waited: number })
  /** It failed for good. */
  | (OfCall & { readonly type: 'call-failed'; readonly error: AshlarError; readonly waited: number })

/** What happens while many items go through a model: the events of its calls, and these. */
export type WorkEvent =
  | CallEvent
  /** Answers that were in the cache already. */
  | { readonly type: 'cache-hit'; readonly kind: CallKind; readonly items: number }
  /** The cache could not be read or written. The work goes on without; what was answered still comes out. */
  | { readonly type: 'cache-failed'; readonly kind: CallKind; readonly items: number; readonly error: unknown }
  /** A batch failed for a reason that may lie in one text of it, and is asked again in parts. */
  | { readonly type: 'batch-split'; readonly kind: CallKind; readonly items: number; readonly error: AshlarError }
  /** Where the work stands. `cached` items needed no call of their own and are counted in `done` too. */
  | {
      readonly type: 'progress'
      readonly kind: CallKind
      readonly read: number
      readonly done: number
      readonly cached: number
      readonly failed: number
    }

/** Tells a listener; its own mistakes surface as uncaught errors instead of failing the work. */
export function tell<Event>(listener: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listener?.(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
