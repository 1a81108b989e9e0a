import type { Distribution, FieldNumbers } from '../../api/overview-types.ts';
import { QuantileSketch } from '../../../plugins/modules/quantile_sketch.ts';
import { PARTS, ValueTally } from './value-tally.ts';

/** Parts of a distribution. */
const BINS = 40;
/** From so many times the median on, what lies there is drawn on a scale of logarithms. */
const WIDE = 20;

/** The numbers among the values of a field. */
export class NumberTally {
  readonly values: ValueTally<number>;
  readonly #sums = new Float64Array(PARTS);
  readonly #counts = new Float64Array(PARTS);
  #minimum = Infinity;
  #maximum = -Infinity;
  /** All numbers, once there are too many different ones. */
  #sketch: QuantileSketch | null = null;

  constructor(room: number) {
    this.values = new ValueTally(room);
  }

  add(value: number, part: number): void {
    if (!Number.isFinite(value)) return this.values.add(value, part);
    this.#sums[part] = (this.#sums[part] as number) + value;
    this.#counts[part] = (this.#counts[part] as number) + 1;
    if (value < this.#minimum) this.#minimum = value;
    if (value > this.#maximum) this.#maximum = value;
    if (this.#sketch !== null) this.#sketch.add(value);
    else if (this.values.isFull) this.#sketch = this.#sketchWith(value);
    this.values.add(value, part);
  }

  /** null: there are none. */
  facts(): FieldNumbers | null {
    const count = sum(this.#counts);
    if (count === 0) return null;
    const points = this.#sketch?.points() ?? this.#points();
    const [p50 = NaN, p95 = NaN, p99 = NaN] = [50, 95, 99].map((percent) => quantile(points, count, percent));
    const facts = { p50, p95, p99, minimum: this.#minimum, maximum: this.#maximum };
    return {
      ...facts,
      count,
      average: sum(this.#sums) / count,
      exact: this.#sketch === null,
      distribution: distributionOf(points, facts),
      averages: Array.from(this.#sums, (total, part) => total / (this.#counts[part] as number)),
    };
  }

  #sketchWith(value: number): QuantileSketch {
    const sketch = new QuantileSketch();
    this.values.each((known, count) => {
      for (let i = 0; i < count; i++) sketch.add(known);
    });
    sketch.add(value);
    return sketch;
  }

  /** The numbers and how often each occurs, ascending. */
  #points(): Point[] {
    const points: Point[] = [];
    this.values.each((value, count) => Number.isFinite(value) && points.push([value, count]));
    return points.sort(([a], [b]) => a - b);
  }
}

type Point = readonly [value: number, count: number];

const sum = (numbers: Float64Array): number => numbers.reduce((total, one) => total + one, 0);

/** The number below which so many percent of them lie. */
function quantile(points: readonly Point[], count: number, percent: number): number {
  const rank = Math.floor((percent * (count - 1)) / 100);
  let passed = 0;
  for (const [value, times] of points) if ((passed += times) > rank) return value;
  return NaN;
}

type Facts = Pick<FieldNumbers, 'p50' | 'p99' | 'minimum' | 'maximum'>;

function distributionOf(points: readonly Point[], { p50, p99, minimum, maximum }: Facts): Distribution {
  const least = points.find(([value]) => value > 0)?.[0] ?? 0;
  const scale = minimum >= 0 && least > 0 && Math.max(p99, maximum / WIDE) > WIDE * Math.max(p50, least) ? 'log' : 'linear';
  const from = scale === 'log' ? least : minimum;
  const place = (value: number): number => (scale === 'log' ? Math.log(Math.max(value, least)) : value);
  const [start, length] = [place(from), place(maximum) - place(from)];
  const counts = new Array<number>(BINS).fill(0);
  for (const [value, count] of points) {
    const bin = length > 0 ? Math.min(BINS - 1, Math.max(0, Math.floor(((place(value) - start) / length) * BINS))) : 0;
    counts[bin] = (counts[bin] as number) + count;
  }
  return { scale, from, to: maximum, counts };
}
