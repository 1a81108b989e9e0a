/**
 * Quantiles of a stream of numbers within one percent: C. Masson, J. E. Rim, H. K. Lee, "DDSketch: A Fast and Fully-Mergeable Quantile Sketch with
 * Relative-Error Guarantees", VLDB 2019. Numbers are counted in buckets whose bounds grow by two percent each. As long as there are few, they are
 * kept as they are and quantiles are exact.
 */
import { checkNumber, unexpected } from '../base/arguments.ts';

const ERROR = 0.01;
const GAMMA = (1 + ERROR) / (1 - ERROR);
const LOG_GAMMA = Math.log(GAMMA);
/** Numbers nearer to zero count as zero. */
const SMALLEST = 1e-12;
/** Buckets on each side; when there are more, those nearest to zero become one. */
const MAX_BUCKETS = 2048;
/** Numbers that are kept as they are. */
const MAX_EXACT = 256;

/** The state of a sketch as plain data, no copy of it; the maps hold counts by bucket number. */
export interface SavedSketch {
  readonly exact: number[] | null;
  readonly positive: Map<number, number>;
  readonly negative: Map<number, number>;
  readonly zeros: number;
  readonly minimum: number;
  readonly maximum: number;
}

export class QuantileSketch {
  /** The numbers themselves, while there are few. */
  #exact: number[] | null = [];
  #positive = new Map<number, number>();
  #negative = new Map<number, number>();
  #zeros = 0;
  #count = 0;
  #minimum = Infinity;
  #maximum = -Infinity;

  /** The number of values that were added. */
  get count(): number {
    return this.#count;
  }

  /** Counts a number; NaN and infinities are left out. */
  add(value: number): void {
    checkNumber('add', 1, value);
    if (!Number.isFinite(value)) return;
    this.#count++;
    if (value < this.#minimum) this.#minimum = value;
    if (value > this.#maximum) this.#maximum = value;
    if (this.#exact === null) this.#put(value);
    else if (this.#exact.push(value) > MAX_EXACT) this.#leaveExact(this.#exact);
  }

  /** Counts all numbers that another sketch has counted; quantiles are within the same error of those of all numbers. */
  merge(other: QuantileSketch): void {
    if (!(other instanceof QuantileSketch)) throw unexpected('merge', 1, 'QuantileSketch', other);
    if (other.#exact !== null) {
      for (const value of [...other.#exact]) this.add(value);
      return;
    }
    if (this.#exact !== null) this.#leaveExact(this.#exact);
    this.#count += other.#count;
    this.#zeros += other.#zeros;
    this.#minimum = Math.min(this.#minimum, other.#minimum);
    this.#maximum = Math.max(this.#maximum, other.#maximum);
    for (const [bucket, counted] of [...other.#positive]) count(this.#positive, bucket, counted);
    for (const [bucket, counted] of [...other.#negative]) count(this.#negative, bucket, counted);
  }

  #leaveExact(exact: readonly number[]): void {
    this.#exact = null;
    for (const kept of exact) this.#put(kept);
  }

  #put(value: number): void {
    if (Math.abs(value) < SMALLEST) this.#zeros++;
    else count(value > 0 ? this.#positive : this.#negative, Math.ceil(Math.log(Math.abs(value)) / LOG_GAMMA), 1);
  }

  /** The number below which so many percent of the numbers lie; NaN without numbers. */
  percentile(percent: number): number {
    checkNumber('percentile', 1, percent);
    if (Number.isNaN(percent)) throw unexpected('percentile', 1, 'number', percent);
    if (this.#count === 0) return NaN;
    if (percent <= 0) return this.#minimum;
    if (percent >= 100) return this.#maximum;
    // A share such as 0.29 is rounded in binary, and the rank could be one too low.
    const rank = Math.floor((percent * (this.#count - 1)) / 100);
    let passed = 0;
    return this.points().find(([, counted]) => (passed += counted) > rank)?.[0] ?? this.#maximum;
  }

  /** The numbers that stand for those that were counted, ascending, and how many each stands for. */
  points(): (readonly [value: number, count: number])[] {
    if (this.#exact !== null) return this.#exact.toSorted((a, b) => a - b).map((value) => [value, 1]);
    const within = (value: number): number => Math.min(this.#maximum, Math.max(this.#minimum, value));
    return [
      ...[...this.#negative].sort(([a], [b]) => b - a).map(([bucket, counted]) => [within(-middle(bucket)), counted] as const),
      ...(this.#zeros > 0 ? [[within(0), this.#zeros] as const] : []),
      ...[...this.#positive].sort(([a], [b]) => a - b).map(([bucket, counted]) => [within(middle(bucket)), counted] as const),
    ];
  }

  toSaved(): SavedSketch {
    return {
      exact: this.#exact,
      positive: this.#positive,
      negative: this.#negative,
      zeros: this.#zeros,
      minimum: this.#minimum,
      maximum: this.#maximum,
    };
  }

  restore({ exact, positive, negative, zeros, minimum, maximum }: SavedSketch): void {
    this.#exact = exact;
    this.#positive = positive;
    this.#negative = negative;
    this.#zeros = zeros;
    this.#minimum = minimum;
    this.#maximum = maximum;
    this.#count = zeros + (exact?.length ?? 0);
    for (const counted of [...positive.values(), ...negative.values()]) this.#count += counted;
  }

  static fromSaved(saved: SavedSketch): QuantileSketch {
    const sketch = new QuantileSketch();
    sketch.restore(saved);
    return sketch;
  }
}

/** The number that is within the error of all in its bucket. */
function middle(bucket: number): number {
  return (2 * GAMMA ** bucket) / (GAMMA + 1);
}

function count(buckets: Map<number, number>, bucket: number, times: number): void {
  const counted = buckets.get(bucket);
  buckets.set(bucket, (counted ?? 0) + times);
  if (counted === undefined && buckets.size > MAX_BUCKETS) joinLowest(buckets);
}

/** Joins a part of the buckets, so that it need not be done each time. */
function joinLowest(buckets: Map<number, number>): void {
  const lowest = [...buckets.keys()].sort((a, b) => a - b).slice(0, MAX_BUCKETS / 8);
  const target = lowest.at(-1) as number;
  let sum = 0;
  for (const bucket of lowest) {
    sum += buckets.get(bucket) as number;
    buckets.delete(bucket);
  }
  buckets.set(target, sum);
}
