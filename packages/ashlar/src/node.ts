/**
 * Files and folders as sources, and libraries by path or URL, for Node.
 *
 * @module ashlar/node
 */
export { type FolderOptions, folderSource } from './ingest/node/folder-source.ts'
export { type LoaderPool, type LoaderPoolOptions, loaderPool } from './ingest/node/loader-pool.ts'
export { type WorkerReader, type WorkerReaderOptions, workerReader } from './ingest/node/worker-reader.ts'
export { type NodeLibrary, type OpenPlaceOptions, open } from './library/node/open.ts'
