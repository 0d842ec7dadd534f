/**
 * Keeps what models answered, by content: the key is a hash of the model's identity and of the exact input, the value bytes.
 *
 * `set` resolves when the entries would survive the end of the process, as far as the cache promises that at all.
 */
export interface ModelCache extends AsyncDisposable {
  /** The values under the keys, in their order; undefined where there is none. */
  get(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>
  set(entries: readonly { readonly key: string; readonly value: Uint8Array }[]): Promise<void>
}
