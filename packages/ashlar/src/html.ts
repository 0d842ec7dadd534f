export { html } from './chunk/html.ts'
