import type { Measure } from '../../api/measure-types.ts';
import { HyperLogLog } from '../../../plugins/modules/hyperloglog.ts';
import { ownText } from '../values.ts';

const SHARES: Partial<Readonly<Record<Measure, number>>> = { p50: 0.5, p95: 0.95, p99: 0.99 };
/** Numbers of which percentiles are told while more are still read. */
const AT_FIRST = 20_000;
/** So many of a tally are kept, however little room there is. */
const FEW = 200;

/** The measures of an answer, and what they need to be kept. */
export interface Needs {
  readonly measures: readonly Measure[];
  readonly numbers: boolean;
  readonly values: boolean;
  /** Room that all tallies of an answer share. */
  readonly room: Room;
}

/** Room for numbers and texts, with which each tally keeps all of them, or a part that is spread evenly over them. */
export class Room {
  #numbers: number;
  readonly #most: number;
  #characters: number;
  /** Of so many numbers one is kept. */
  step = 1;
  /** Whether there was room for all. */
  exact = true;

  constructor(numbers: number, characters: number) {
    this.#numbers = numbers;
    this.#most = numbers;
    this.#characters = characters;
  }

  takeNumber(): void {
    if (this.#numbers-- > 0) return;
    this.exact = false;
    this.step *= 2;
    this.#numbers = this.#most / 2;
  }

  /** @param size its characters, and some for its place */
  takeText(size: number): boolean {
    this.exact &&= this.#characters >= size;
    if (this.#characters < size) return false;
    this.#characters -= size;
    return true;
  }
}

/** All that is known of the numbers of some records. */
export class NumberTally {
  records = 0;
  #count = 0;
  #sum = 0;
  #min = NaN;
  #max = NaN;
  #numbers = new Float64Array(0);
  #length = 0;
  /** Every so many numbers one is kept. */
  #step = 1;
  /** The count at which the numbers were sorted. */
  #sortedAt = 0;
  #values: Set<string> | null = null;
  #estimate: HyperLogLog | null = null;

  addNumber(value: number, { numbers, room }: Needs): void {
    this.#count++;
    this.#sum += value;
    // NaN is neither more nor less.
    if (!(this.#min <= value)) this.#min = value;
    if (!(this.#max >= value)) this.#max = value;
    if (numbers && this.#count % this.#step === 0) this.#keep(value, room);
  }

  addValue(value: string, room: Room): void {
    this.#count++;
    if (this.#estimate !== null) return void this.#estimate.add(value);
    const values = (this.#values ??= new Set());
    if (values.has(value)) return;
    if (room.takeText(value.length + 32)) {
      values.add(ownText(value));
      return;
    }
    this.#estimate = new HyperLogLog();
    for (const known of values) this.#estimate.add(known);
    this.#estimate.add(value);
    this.#values = null;
  }

  /** Counts records that have a value. */
  addCount(count: number): void {
    this.#count += count;
  }

  /** @param whole all records were read */
  numbersOf({ measures }: Needs, isOf: boolean, whole: boolean): number[] {
    const sorted = measures.some((measure) => SHARES[measure] !== undefined) ? this.#sorted(whole) : null;
    return measures.map((measure) => {
      const share = SHARES[measure];
      if (share !== undefined) return quantile(sorted as Float64Array, share);
      switch (measure) {
        case 'count':
          return isOf ? this.#count : this.records;
        case 'distinct':
          return this.#estimate?.count() ?? this.#values?.size ?? 0;
        case 'min':
          return this.#min;
        case 'max':
          return this.#max;
        case 'average':
          return this.#sum / this.#count;
        default:
          return this.#count === 0 ? NaN : this.#sum;
      }
    });
  }

  #keep(value: number, room: Room): void {
    room.takeNumber();
    while (this.#step < room.step && this.#length >= FEW) this.#thin();
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(Math.max(8, this.#length * 2));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length++] = value;
  }

  #thin(): void {
    const half = this.#length >>> 1;
    for (let i = 0; i < half; i++) this.#numbers[i] = this.#numbers[2 * i + 1] as number;
    this.#length = half;
    this.#step *= 2;
  }

  #sorted(whole: boolean): Float64Array {
    const length = this.#length;
    if (!whole && length > AT_FIRST) {
      const stride = length / AT_FIRST;
      return Float64Array.from({ length: AT_FIRST }, (_unused, i) => this.#numbers[Math.floor(i * stride)] as number).sort();
    }
    const numbers = this.#numbers.subarray(0, length);
    // In a log in order of time, most buckets are as they were in the answer before.
    if (this.#sortedAt !== this.#count) numbers.sort();
    this.#sortedAt = this.#count;
    return numbers;
  }
}

/** The number below which this share lies, between two neighbours as SQL's `quantile_cont` has it; NaN: there are none. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN];
  return below === above ? below : below + (above - below) * (place - Math.floor(place));
}
