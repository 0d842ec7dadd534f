/** A JSON Schema of the simple kind that models are shown. */
export interface ToolSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

/** Something that an agent may do with a library, as plain data and one function. */
export interface LibraryTool {
  /** Letters and underscores, as every provider takes it. */
  readonly name: string
  /** For a person who is asked whether the tool may be used. */
  readonly title: string
  /** For the model: what it gives and when to use it. */
  readonly description: string
  readonly inputSchema: ToolSchema
  /**
   * What the model reads: stored text only inside fences. Input that does not make sense is answered with what is wrong about it, so
   * that the model can call again.
   *
   * @throws what the library throws, such as `STORE_FAILED`; adapters turn it into an answer.
   */
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<string>
}
