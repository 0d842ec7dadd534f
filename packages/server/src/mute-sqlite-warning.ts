/** Node 22 warns each time that its SQLite may still change. The tests hold the store against it; nobody at a terminal can do anything. */
export function muteSqliteWarning(): void {
  const emit = process.emitWarning.bind(process) as (...args: unknown[]) => void
  process.emitWarning = (...args: unknown[]): void => {
    if (String(args[0]).startsWith('SQLite is an experimental feature')) return
    emit(...args)
  }
}
