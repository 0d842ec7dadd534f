/**
 * Files, folders and addresses as sources, readers that use all cores, and libraries by path or URL, for Node.
 *
 * @module ashlar/node
 */
export { type FetchedUrl, type FetchUrlOptions, fetchUrl } from './ingest/node/fetch-url.ts'
export { type FileSourceOptions, fileSource } from './ingest/node/file-source.ts'
export { type FolderOptions, folderSource } from './ingest/node/folder-source.ts'
export { type LoaderPool, type LoaderPoolOptions, loaderPool } from './ingest/node/loader-pool.ts'
export { type UrlSourceOptions, urlSource } from './ingest/node/url-source.ts'
export { type WatchOptions, watchFolder } from './ingest/node/watch-folder.ts'
export { type WorkerReader, type WorkerReaderOptions, workerReader } from './ingest/node/worker-reader.ts'
export { type NodeLibrary, type OpenPlaceOptions, open } from './library/node/open.ts'
