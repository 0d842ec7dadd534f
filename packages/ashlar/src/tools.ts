/**
 * A library as the tools of an agent: search, read on, list; stored text only ever inside fences.
 *
 * @module ashlar/tools
 */
export { type AiSdkTool, aiSdkTools, type StandardToolSchema } from './tools/ai-sdk-tools.ts'
export type { LibraryTool, ToolSchema } from './tools/library-tool.ts'
export { type McpTool, type McpToolResult, type McpTools, mcpTools } from './tools/mcp-tools.ts'
export { type ToolLibrary, type ToolsOptions, tools } from './tools/tools.ts'
