/** `1,234,567`. */
export function count(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}

/** `1 document`, `2 documents`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`
}

/** `3.2 MB`. */
export function bytes(number: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let unit = 0
  while (number >= 999.5 && unit < units.length - 1) {
    number /= 1000
    unit++
  }
  return `${unit === 0 || number >= 99.5 ? Math.round(number) : Number(number.toPrecision(2))} ${units[unit]}`
}

/** `850 ms`, `3.4 s`, `2 min 5 s`, `1 h 12 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 59.5) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** `0:07`, `12:30`, `1:02:03`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** `0.0025`, `12.30`: money in whatever currency the prices are in. */
export function money(amount: number): string {
  return amount >= 1 || amount === 0 ? amount.toFixed(2) : Number(amount.toPrecision(2)).toString()
}

/** `87 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** `+3.2 points (0.4 to 6.0)`: a difference of shares with its interval. */
export function points({ mean, low, high }: { readonly mean: number; readonly low: number; readonly high: number }): string {
  const [of, from, to] = [mean, low, high].map((share) => (100 * share).toFixed(1).replace(/^-0\.0$/, '0.0'))
  return `${mean > 0 ? '+' : ''}${of} points (${from} to ${to})`
}
