import type { FieldTypes } from '../store/filter.ts'
import { reserved } from '../store/reserved-metadata.ts'

/**
 * The fields that an ingest asks a store about: put them beside your own where the store is opened. Without them all documents of a
 * workspace are listed to find those of a root, and a file that was renamed is embedded again.
 */
export const ingestFields: FieldTypes = { [reserved.root]: 'string', [reserved.hash]: 'string' }
