import type { FieldColumn } from '../../message/batch/columns.ts';
import { ValueType } from '../../message/types.ts';
import { BLOCKS, NO_BLOCK, SIDE_BLOCKS } from './block-counts.ts';
import { NumberOrder } from './number-order.ts';

/** Buckets of numbers: eight for each power of two, from 2 ** -16 to 2 ** 48, of both signs, and one of zero. */
const [STEPS, LEAST, SIDE] = [8, -16, 512];
export const BUCKETS = 2 * SIDE + 1;
const ZERO = SIDE;
const [EXPONENT_ZERO, SHIFT] = [1023, 17];

const DOUBLE = new Float64Array(1);
const WORDS = new Uint32Array(DOUBLE.buffer);

/** The bucket of a number; they ascend. */
export function bucketOf(value: number): number {
  if (value === 0) return ZERO;
  DOUBLE[0] = value;
  const magnitude = (((WORDS[1] as number) & 0x7fffffff) >>> SHIFT) - (EXPONENT_ZERO + LEAST) * STEPS + 1;
  const place = Math.min(SIDE, Math.max(1, magnitude));
  return value > 0 ? ZERO + place : ZERO - place;
}

/** The least number of a bucket from zero on, and the one nearest to zero below. */
export function edgeOf(bucket: number): number {
  if (bucket === ZERO) return 0;
  const place = Math.abs(bucket - ZERO) - 1;
  const edge = 2 ** (LEAST + Math.floor(place / STEPS)) * (1 + (place % STEPS) / STEPS);
  return bucket > ZERO ? edge : -edge;
}

/** The numbers of a column; null: its values are none. */
export function numbersOf(column: FieldColumn): Float64Array | null {
  if (column.valueType === ValueType.INTEGER) return doublesOf(column.values);
  return column.valueType === ValueType.DOUBLE ? column.values : null;
}

/** Integers as doubles: an object for each would cost more than all else. */
export function doublesOf(integers: BigInt64Array): Float64Array {
  if (last?.integers === integers) return last.doubles;
  const words = new Int32Array(integers.buffer, integers.byteOffset, integers.length * 2);
  const doubles = new Float64Array(integers.length);
  for (let i = 0; i < doubles.length; i++) doubles[i] = (words[2 * i + 1] as number) * 2 ** 32 + ((words[2 * i] as number) >>> 0);
  last = { integers, doubles };
  return doubles;
}

/** The last ones: numbers are counted by bucket, and by value. */
let last: { readonly integers: BigInt64Array; readonly doubles: Float64Array } | null = null;

/** The numbers of one field by bucket and block. */
export class NumberCounts {
  readonly counts = new Uint32Array(BUCKETS * BLOCKS);
  readonly #order = new NumberOrder();

  /** Whether they count upwards, as ids and positions do: those of a later time are others, which tells nothing. */
  get isCounter(): boolean {
    return this.#order.isRising;
  }

  add(column: FieldColumn, count: number, blocks: Uint8Array): void {
    const values = numbersOf(column);
    if (values === null) return;
    const { rows, offsets } = column;
    const { counts } = this;
    this.#order.begin();
    for (let i = 0; i < count; i++) {
      const block = blocks[rows === null ? i : (rows[i] as number)] as number;
      const at = offsets === null ? i : (offsets[i] as number);
      if (block === NO_BLOCK || (offsets !== null && at === offsets[i + 1])) continue;
      const value = values[at] as number;
      if (value !== value) continue;
      this.#order.add(value, block);
      const place = bucketOf(value) * BLOCKS + block;
      counts[place] = (counts[place] as number) + 1;
    }
  }

  /** The number below which such a share of a side lies, to a tenth; NaN: there is none. */
  quantile(side: 0 | 1, share: number): number {
    const sums = this.sums(side);
    const rank = share * sums.reduce((sum, count) => sum + count, 0);
    let passed = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = sums[bucket] as number;
      if (count > 0 && passed + count >= rank) {
        const [low, high] = [edgeOf(bucket), edgeOf(bucket + (bucket >= ZERO ? 1 : -1))];
        return bucket === ZERO ? 0 : low + ((high - low) * Math.abs(rank - passed)) / count;
      }
      passed += count;
    }
    return NaN;
  }

  /** The numbers of a side by bucket. */
  sums(side: 0 | 1): Float64Array {
    const sums = new Float64Array(BUCKETS);
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const from = bucket * BLOCKS + side * SIDE_BLOCKS;
      for (let at = from; at < from + SIDE_BLOCKS; at++) sums[bucket] = (sums[bucket] as number) + (this.counts[at] as number);
    }
    return sums;
  }

  /** Those from a bucket on, by block. */
  from(bucket: number): Uint32Array {
    const sums = new Uint32Array(BLOCKS);
    for (let at = bucket * BLOCKS; at < this.counts.length; at++)
      sums[at % BLOCKS] = (sums[at % BLOCKS] as number) + (this.counts[at] as number);
    return sums;
  }

  /** All, by block. */
  all(): Uint32Array {
    return this.from(0);
  }
}
