import { isAshlarError } from '../error/ashlar-error.ts'
import type { LibraryTool, ToolSchema } from './library-tool.ts'

/** A tool as `tools/list` of the Model Context Protocol describes it. */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: false }
}

/** What `tools/call` answers. */
export interface McpToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
  readonly isError: boolean
}

/** Tools as a server of the Model Context Protocol needs them: what to list, and what to do when one is called. */
export interface McpTools {
  readonly list: readonly McpTool[]
  /** Undefined where there is no tool of that name. */
  call(name: string, input: unknown, options?: { readonly signal?: AbortSignal }): Promise<McpToolResult> | undefined
}

/**
 * Tools for the Model Context Protocol, whatever SDK or transport serves them.
 *
 * Answers are texts and nothing else: structured content would carry stored text past its fence.
 */
export function mcpTools(tools: readonly LibraryTool[]): McpTools {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    list: tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
    call(name, input, options) {
      const tool = byName.get(name)
      return tool && answer(tool, input, options)
    },
  }
}

async function answer(
  tool: LibraryTool,
  input: unknown,
  options: { readonly signal?: AbortSignal } = {},
): Promise<McpToolResult> {
  try {
    return result(await tool.execute(input ?? {}, options), false)
  } catch (error) {
    options.signal?.throwIfAborted()
    // What an engine says about a failure may quote what it was given.
    return result(isAshlarError(error) ? `The library failed: ${error.code}.` : 'The library failed.', true)
  }
}

function result(text: string, isError: boolean): McpToolResult {
  return { content: [{ type: 'text', text }], isError }
}
