/** Durations and sizes as programs write them: `3ms`, `2h5m`, `1.5kB`. */

/** The measure of a quantity. */
export type Measure = 'time' | 'size';

const TIMES: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3600,
  d: 86_400,
};
const SIZES: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  KiB: 2 ** 10,
  MB: 1e6,
  MiB: 2 ** 20,
  GB: 1e9,
  GiB: 2 ** 30,
  TB: 1e12,
  TiB: 2 ** 40,
};
/** One part, or several of a duration, without blanks but for one in front of the unit. */
const TIME = /^[+-]?(?:\d+(?:\.\d+)?(?:ns|us|µs|μs|ms|sec|s|min|m|h|d))+$|^[+-]?\d+(?:\.\d+)? (?:ns|us|µs|μs|ms|sec|s|min|h|d)$/;
const SIZE = /^[+-]?\d+(?:\.\d+)? ?(?:[kKMGT]?B|[KMGT]iB)$/;
const PART = /(\d+(?:\.\d+)?) ?([A-Za-zµμ]+)/g;
/** Longer texts are no quantities. */
const LONGEST = 64;

/** The measure of a text that is a quantity; null: it is none. */
export function measureOf(text: string): Measure | null {
  const last = text.charCodeAt(text.length - 1);
  // Most texts are none: that shows at their last character, which is a letter of a unit, and at their length.
  if (text.length > LONGEST || !(last === 66 || (last >= 97 && last <= 122))) return null;
  if (TIME.test(text)) return 'time';
  return SIZE.test(text) ? 'size' : null;
}

/** A quantity in seconds or bytes; null: the text is none. */
export function quantityOf(text: string): number | null {
  const measure = measureOf(text);
  if (measure === null) return null;
  const units = measure === 'time' ? TIMES : SIZES;
  let sum = 0;
  for (const [, number = '', unit = ''] of text.matchAll(PART)) {
    const factor = units[unit] ?? NaN;
    // A division is exact where the factor is not.
    sum += factor < 1 ? Number(number) / Math.round(1 / factor) : Number(number) * factor;
  }
  return text.startsWith('-') ? -sum : sum;
}
