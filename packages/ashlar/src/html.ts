/**
 * Cuts HTML along its elements, at positions of the original source. Needs parse5 beside it.
 *
 * @module ashlar/html
 */
export { chunkHtml } from './chunk/chunk-html.ts'
export { html } from './chunk/html.ts'
