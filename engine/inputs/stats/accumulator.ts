import { numberOf, type Stat } from './parse.ts';

/** Distinct names of one kind; those beyond are not taken, so that no sender can fill the memory. */
const MOST_NAMES = 100_000;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Everything that was counted since the last emission. */
export interface Accumulated {
  readonly counters: ReadonlyMap<string, bigint>;
  readonly gauges: ReadonlyMap<string, number>;
  readonly timers: ReadonlyMap<string, readonly number[]>;
}

/** Adds up stats until they are taken. */
export class Accumulator {
  readonly #counters = new Map<string, bigint>();
  readonly #gauges = new Map<string, number>();
  readonly #timers = new Map<string, number[]>();
  #dropped = 0;

  /** Stats that were not taken because there are too many names. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * A counter grows by the value divided by the rate, both of single precision, without its fraction; a gauge has its last value; a timer
   * keeps all values.
   */
  add({ bucket, kind, value, rate }: Stat): void {
    const names: ReadonlyMap<string, unknown> = { counter: this.#counters, gauge: this.#gauges, timer: this.#timers }[kind];
    if (names.size >= MOST_NAMES && !names.has(bucket)) {
      this.#dropped++;
      return;
    }
    const number = numberOf(value);
    if (kind === 'gauge') this.#gauges.set(bucket, number);
    else if (kind === 'timer') this.#addTime(bucket, number);
    else this.#counters.set(bucket, clamp((this.#counters.get(bucket) ?? 0n) + increment(number, rate)));
  }

  /** Takes the accumulated stats. Counters and timers begin anew and gauges stay, unless all is to be forgotten. */
  take(forget: boolean): Accumulated {
    const taken = { counters: new Map(this.#counters), gauges: new Map(this.#gauges), timers: new Map(this.#timers) };
    if (forget) for (const names of [this.#counters, this.#gauges, this.#timers]) names.clear();
    for (const name of this.#counters.keys()) this.#counters.set(name, 0n);
    for (const name of this.#timers.keys()) this.#timers.set(name, []);
    return taken;
  }

  #addTime(bucket: string, value: number): void {
    const values = this.#timers.get(bucket);
    if (values === undefined) this.#timers.set(bucket, [value]);
    else values.push(value);
  }
}

function increment(value: number, rate: number): bigint {
  const amount = Math.trunc(Math.fround(Math.fround(value) * Math.fround(1 / Math.fround(rate))));
  if (Number.isFinite(amount)) return BigInt(amount);
  return amount > 0 ? INT64_MAX : amount < 0 ? INT64_MIN : 0n;
}

const clamp = (sum: bigint): bigint => (sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : sum);
