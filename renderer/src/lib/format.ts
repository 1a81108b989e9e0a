/** Formats numbers, sizes, rates and times for reading. Pure; the language is English, digits are grouped by commas. */

import { ownEntry } from './own-entry.ts';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count with grouped digits: `1,234,567`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

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

/** Records a second: `1.2k/s`; below one a second with a fraction. */
export function formatRate(perSecond: number): string {
  if (perSecond > 0 && perSecond < 0.1) return '<0.1/s';
  return `${formatCompact(perSecond)}/s`;
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

/** A span of milliseconds in its two largest parts: `2 h 5 min`, `41 s`, `250 ms`. */
export function formatSpan(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** A part of 1 as a percentage: `12.3 %`. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '<0.1 %';
  return `${percent.toFixed(percent >= 99.95 ? 0 : 1)} %`;
}

/** The part that a filter has read, so that nobody takes what it has found for all: `42 % read`; null: it has read everything, which needs no words. */
export const shareRead = (progress: number | null): string => (progress === null ? '' : `${Math.floor(progress * 100)} % read`);

/** Nanoseconds of the units of durations, and bytes of those of sizes. */
export const NANOSECONDS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
export const BYTES: Readonly<Record<string, number>> = { B: 1, kB: 1e3, KiB: 1024, MB: 1e6, MiB: 1024 ** 2, GB: 1e9, GiB: 1024 ** 3 };
const PERCENT = new Set(['percent', '%']);

/** A graph's value with its unit, as people write it; counts have none: `1.2k`, `4 min`, `17.5 GB`, `95 %`, `9/s`. */
export function formatValue(value: number, unit: string): string {
  const text = formatCompact(value);
  if (text === '–' || unit === '' || unit.toLowerCase() === 'count') return text;
  const [bytes, nanoseconds] = [ownEntry(BYTES, unit), ownEntry(NANOSECONDS, unit)];
  if (value === 0 && (bytes ?? nanoseconds) !== undefined) return text;
  if (bytes !== undefined) return formatBytes(value * bytes);
  if (nanoseconds !== undefined) return formatNs(value * nanoseconds);
  if (unit.startsWith('/')) return `${text}${unit}`;
  return `${text} ${PERCENT.has(unit) ? '%' : unit}`;
}

/** `1 record`, `2 records`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
