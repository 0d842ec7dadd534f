import type { FieldTypes } from '../store/filter.ts'

/** The fields of a store that keeps feedback: open it with these. */
export const feedbackFields: FieldTypes = { verdict: 'string', hit: 'string', document: 'string', time: 'number' }
