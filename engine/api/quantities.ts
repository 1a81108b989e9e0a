/** Writes numbers with their units for reading. Pure; the language is English. */

const STEPS = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** At most three significant digits and a decimal prefix: `1.2k`, `38`, `3.4M`. NaN is `–`. */
export function formatCompact(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  for (const [step, suffix] of STEPS) {
    // 999.5k would round up to 1000k.
    if (size >= step * 0.9995) return trimmed(value / step) + suffix;
  }
  return trimmed(value);
}

function trimmed(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.1 ? 2 : 4;
  const text = value.toFixed(digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const BYTE_STEPS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes in decimal units: `12.3 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (Math.abs(value) >= 999.5 && step < BYTE_STEPS.length - 1) {
    value /= 1000;
    step++;
  }
  const digits = step === 0 || Math.abs(value) >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${BYTE_STEPS[step]}`;
}

/** A duration that is given in nanoseconds: `450 ns`, `2.5 µs`, `13 ms`, `1.2 s`, `4 min`, `1.5 h`, `2 d`. */
export function formatNs(ns: number): string {
  if (!Number.isFinite(ns)) return '–';
  if (ns < 0) return `−${formatNs(-ns)}`;
  // Durations that round to 1000, or to 60 seconds, are written in the next larger unit.
  if (ns < 999.5) return `${Math.round(ns)} ns`;
  if (ns < 999.5e3) return `${trimmed(ns / 1e3)} µs`;
  if (ns < 999.5e6) return `${trimmed(ns / 1e6)} ms`;
  if (ns < 59.95e9) return `${trimmed(ns / 1e9)} s`;
  if (ns < 59.95 * 60e9) return `${trimmed(ns / 60e9)} min`;
  return ns < 2 * 86_400e9 ? `${trimmed(ns / 3600e9)} h` : `${trimmed(ns / 86_400e9)} d`;
}

/** Nanoseconds of the units of durations, and bytes of those of sizes. */
export const NANOSECONDS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
export const BYTES: Readonly<Record<string, number>> = { B: 1, kB: 1e3, KiB: 1024, MB: 1e6, MiB: 1024 ** 2, GB: 1e9, GiB: 1024 ** 3 };
const PERCENT = new Set(['percent', '%']);

/** A graph's value with its unit, as people write it; counts have none: `1.2k`, `4 min`, `17.5 GB`, `95 %`, `9/s`. */
export function formatValue(value: number, unit: string): string {
  const text = formatCompact(value);
  if (text === '–' || unit === '' || unit.toLowerCase() === 'count') return text;
  const [bytes, nanoseconds] = [unitOf(BYTES, unit), unitOf(NANOSECONDS, unit)];
  if (value === 0 && (bytes ?? nanoseconds) !== undefined) return text;
  if (bytes !== undefined) return formatBytes(value * bytes);
  if (nanoseconds !== undefined) return formatNs(value * nanoseconds);
  if (unit.startsWith('/')) return `${text}${unit}`;
  return `${text} ${PERCENT.has(unit) ? '%' : unit}`;
}

/** A value of a table with the unit of its field: sizes as people write them, durations in hours, minutes and seconds from a minute on, other numbers with fewer decimals. What is no number stays. */
export function quantityText(value: string, unit: string): string {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return value;
  const [bytes, nanoseconds] = [unitOf(BYTES, unit), unitOf(NANOSECONDS, unit)];
  if (number === 0 && unit !== '') return `0 ${unit}`;
  if (bytes !== undefined) return formatBytes(number * bytes);
  if (nanoseconds !== undefined) return durationText(number * nanoseconds);
  return unit === '' ? fewerDigits(value) : `${formatCompact(number)} ${unit}`;
}

/** A duration of one value: from a minute on with all its seconds, so that neighbours differ: `14:03:27.12`. */
function durationText(ns: number): string {
  const seconds = Math.abs(ns) / 1e9;
  if (seconds < 60) return formatNs(ns);
  const micros = Math.round(seconds * 1e6);
  const [hours, minutes, rest] = [Math.floor(micros / 3600e6), Math.floor(micros / 60e6) % 60, (micros % 60e6) / 1e6];
  const written = `${rest < 10 ? '0' : ''}${rest.toFixed(6).replace(/\.?0+$/, '')}`;
  return `${ns < 0 ? '−' : ''}${hours}:${String(minutes).padStart(2, '0')}:${written}`;
}

/** Values with many decimals, as programs write them, with three, or four significant ones below 1; the others as they are. */
function fewerDigits(value: string): string {
  if (!/^-?\d+\.\d{5,}$/.test(value)) return value;
  const number = Number(value);
  return Math.abs(number) < 1 ? String(Number(number.toPrecision(4))) : number.toFixed(3);
}

const unitOf = (units: Readonly<Record<string, number>>, unit: string): number | undefined =>
  Object.hasOwn(units, unit) ? units[unit] : undefined;
