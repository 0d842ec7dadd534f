/** What the command ends with. */
export const exitCode = {
  ok: 0,
  /** It failed, or it found problems, or some items failed. */
  failed: 1,
  /** It was called wrongly. */
  usage: 2,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
