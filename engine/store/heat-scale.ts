/** The least and the greatest of some numbers, and what else their scale follows from. */
export class Extent {
  low = Infinity;
  high = -Infinity;
  leastPositive = Infinity;
  /** Whether all of them are integers. */
  whole = true;

  include(value: number): void {
    if (value < this.low) this.low = value;
    if (value > this.high) this.high = value;
    if (value > 0 && value < this.leastPositive) this.leastPositive = value;
    if (this.whole && !Number.isInteger(value)) this.whole = false;
  }

  join(other: Extent): void {
    this.low = Math.min(this.low, other.low);
    this.high = Math.max(this.high, other.high);
    this.leastPositive = Math.min(this.leastPositive, other.leastPositive);
    this.whole &&= other.whole;
  }
}

/** Fine bins of numbers, whose borders have few digits. Rows of any heat map of this scale are made of whole bins. */
export interface Scale {
  readonly kind: 'log' | 'linear';
  /** Of a linear scale: a bin has the length 10 ** power. */
  readonly power: number;
}

/** Bin of zero, and of what is next to it, on a logarithmic scale: below all others. */
export const ZERO = -1;
/** Decades from which on numbers are told apart on a logarithmic scale only. */
const LINEAR_RATIO = 100;
/** Bins of a linear scale at least, beyond what any heat map has rows. */
const LEAST_BINS = 200;
/** Digits that a double can tell apart for certain, less one for rounding. */
const DIGITS = 14;
/** The inverse of its power of ten is still a number. */
const LEAST_POWER = -290;

/** The scale that suits numbers: logarithmic where they span more than two decades. */
export function scaleOf({ low, high, leastPositive, whole }: Extent): Scale {
  if (low >= 0 && high > leastPositive * LINEAR_RATIO) return { kind: 'log', power: 0 };
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const fitting = high > low ? Math.floor(Math.log10(high / LEAST_BINS - low / LEAST_BINS)) : magnitude(largest) - 2;
  return { kind: 'linear', power: Math.max(fitting, magnitude(largest) - DIGITS, whole ? 0 : LEAST_POWER) };
}

const magnitude = (value: number): number => (value > 0 && value < Infinity ? Math.floor(Math.log10(value)) : 0);

/** Whether the bins of one scale are made of whole bins of another. */
export const isFinerThan = (fine: Scale, coarse: Scale): boolean => fine.kind === coarse.kind && fine.power <= coarse.power;

/** The bin of a number. */
export function binOf({ kind, power }: Scale, value: number): number {
  if (kind === 'log') return lastAtMost(logBorders(), value);
  const guess = Math.floor(power < 0 ? value * 10 ** -power : value / 10 ** power);
  if (tens(guess + 1, power) <= value) return guess + 1;
  return tens(guess, power) > value ? guess - 1 : guess;
}

/** The bin of a coarser scale in which a bin is. */
export function coarserBin(fine: Scale, coarse: Scale, bin: number): number {
  return fine.kind === 'log' ? bin : Math.floor(bin / 10 ** (coarse.power - fine.power));
}

/** Borders of rows, as the first bin of each and, last, the bin behind them, with their values. */
export interface RowBorders {
  readonly bins: readonly number[];
  readonly edges: Float64Array;
}

/** Bins that have records. */
export interface BinRange {
  readonly first: number;
  readonly last: number;
  /** The first one but that of zero. */
  readonly firstPositive: number;
}

/** At most so many rows of readable borders over the bins of a range. */
export function rowBorders(scale: Scale, range: BinRange, most: number): RowBorders {
  return scale.kind === 'log' ? logRows(range, most) : linearRows(scale.power, range, most);
}

function linearRows(power: number, { first, last }: BinRange, most: number): RowBorders {
  const step = fittingStep((length) => Math.floor(last / length) - Math.floor(first / length) + 1 <= most);
  const bins = [Math.floor(first / step) * step];
  while ((bins.at(-1) as number) <= last) bins.push((bins.at(-1) as number) + step);
  return { bins, edges: Float64Array.from(bins, (bin) => tens(bin, power)) };
}

function fittingStep(fits: (length: number) => boolean): number {
  for (let ten = 1; ; ten *= 10) {
    for (const digit of [1, 2, 5]) if (fits(digit * ten) || ten > 1e18) return digit * ten;
  }
}

/** Borders within a decade in tenths, the finest first: each has those of the next one. */
const FINE = [10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 28, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90];
const COARSER = [FINE, [10, 12, 15, 20, 25, 30, 40, 50, 60, 80], [10, 15, 20, 30, 50, 70], [10, 20, 50], [10]];
const DECADES = { first: -300, last: 308 };

function logRows({ first, last, firstPositive }: BinRange, most: number): RowBorders {
  const zero = first === ZERO ? [ZERO] : [];
  // Zeros alone.
  if (last === ZERO) return { bins: [ZERO, Infinity], edges: Float64Array.of(0, 1) };
  for (let n = 0; ; n++) {
    const border = n < COARSER.length ? within(COARSER[n] as number[]) : everyDecades(n - COARSER.length + 2);
    const inner = bordersAround(border, firstPositive, last);
    const bins = [...zero, ...inner];
    if (bins.length - 1 > most && inner.length > 2) continue;
    return { bins, edges: Float64Array.from(bins, (bin) => (bin === ZERO ? 0 : (logBorders()[bin] ?? Infinity))) };
  }
}

type IsBorder = (bin: number) => boolean;

const within = (digits: readonly number[]): IsBorder => {
  const places = new Set(digits.map((digit) => FINE.indexOf(digit)));
  return (bin) => places.has(bin % FINE.length);
};
const everyDecades =
  (n: number): IsBorder =>
  (bin) =>
    bin % (FINE.length * n) === 0;

function bordersAround(isBorder: IsBorder, first: number, last: number): number[] {
  const most = logBorders().length;
  const bins: number[] = [];
  let low = first;
  while (low > 0 && !isBorder(low)) low--;
  for (let bin = low; bin <= last; bin++) if (isBorder(bin) || bin === low) bins.push(bin);
  let high = last + 1;
  while (high < most && !isBorder(high)) high++;
  return [...bins, high];
}

let borders: Float64Array | null = null;

/** The lower borders of all bins of the logarithmic scale. */
function logBorders(): Float64Array {
  if (borders !== null) return borders;
  const made: number[] = [];
  for (let decade = DECADES.first; decade <= DECADES.last; decade++)
    for (const digits of FINE) made.push(Number(`${digits}e${decade - 1}`));
  return (borders = Float64Array.from(made.filter(Number.isFinite)));
}

/** Index of the last border that is not above a value; −1: all are. */
function lastAtMost(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** n · 10 ** power, rounded once where the power of ten is exact. */
const tens = (n: number, power: number): number => (power < 0 ? n / 10 ** -power : n * 10 ** power);
