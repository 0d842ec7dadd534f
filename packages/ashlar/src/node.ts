/**
 * Files and folders as sources, for Node.
 *
 * @module ashlar/node
 */
export { type FolderOptions, folderSource } from './ingest/node/folder-source.ts'
