import { isAshlarError } from '../error/ashlar-error.ts'
import type { LibraryTool, ToolSchema } from './library-tool.ts'
import { readToolInput } from './tool-input.ts'

/** A schema that the AI SDK and others take: Standard Schema with its JSON Schema beside it. */
export interface StandardToolSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'ashlar'
    validate(value: unknown): { readonly value: unknown } | { readonly issues: readonly { readonly message: string }[] }
    readonly jsonSchema: { input(): Record<string, unknown>; output(): Record<string, unknown> }
  }
}

/** A tool as `generateText`, `streamText` and the agents of the AI SDK take it. */
export interface AiSdkTool {
  readonly title: string
  readonly description: string
  readonly inputSchema: StandardToolSchema
  execute(input: unknown, options?: { readonly abortSignal?: AbortSignal | undefined }): Promise<string>
}

/**
 * Tools for the AI SDK (6 and later), by name: `generateText({ tools: aiSdkTools(tools(library)), … })`.
 *
 * Answers are texts, so that whatever shows them to a model shows the fences too. A failure is thrown as an error that names its code and
 * nothing else, with what was thrown as its cause: the AI SDK shows the message to the model. Nothing of the AI SDK is imported.
 */
export function aiSdkTools(tools: readonly LibraryTool[]): Readonly<Record<string, AiSdkTool>> {
  return Object.fromEntries(
    tools.map(({ name, title, description, inputSchema, execute }) => [
      name,
      {
        title,
        description,
        inputSchema: standardSchema(inputSchema),
        async execute(input, { abortSignal } = {}) {
          try {
            return await execute(input, abortSignal === undefined ? {} : { signal: abortSignal })
          } catch (error) {
            abortSignal?.throwIfAborted()
            // What an engine says about a failure may quote what it was given.
            throw new Error(isAshlarError(error) ? `The library failed: ${error.code}.` : 'The library failed.', { cause: error })
          }
        },
      } satisfies AiSdkTool,
    ]),
  )
}

function standardSchema(schema: ToolSchema): StandardToolSchema {
  // A copy each time: who gets it may write into it.
  const json = (): Record<string, unknown> => structuredClone(schema) as unknown as Record<string, unknown>
  return {
    '~standard': {
      version: 1,
      vendor: 'ashlar',
      validate(value) {
        const input = readToolInput(value, schema)
        return typeof input === 'string' ? { issues: [{ message: input }] } : { value: input }
      },
      jsonSchema: { input: json, output: json },
    },
  }
}
