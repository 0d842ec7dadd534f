export { sentences } from './sentences/sentences.ts'
