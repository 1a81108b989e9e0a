import type { MessageBatch } from '../../message/batch/batch.ts';
import type { WantedColumns } from '../../message/batch/wire.ts';
import type { Segment } from '../segment.ts';
import { BLOCKS, NO_BLOCK, NO_CODE, SIDE_BLOCKS } from './block-counts.ts';
import { amongAll, isMeasured, shiftOf, wholeOf, type Candidate } from './candidates.ts';
import { MOST_CHANCE, overall, studentTail, type Totals } from './chance.ts';
import type { CodedRecords } from './coded-records.ts';
import type { FieldCodes } from './field-codes.ts';
import type { ComparedField } from './field-table.ts';
import { BUCKETS, bucketOf, NumberCounts, numbersOf } from './number-counts.ts';

/** Fields of numbers, fields of values, and values of each that are looked at; pairs of both whose numbers are counted. */
const [MOST_NUMBERS, MOST_FIELDS, MOST_VALUES, MOST_PAIRS] = [4, 8, 32, 12];
/** Share of each side that a value must have, its records, and the share from which on it is nearly all. */
const [LEAST_SHARE, LEAST_RECORDS, NEARLY_ALL] = [0.004, 40, 0.95];
/** Buckets by which the mean must shift, and the part of that by which it must do so more than that of all records. */
const [LEAST_SHIFT, OWN_SHIFT] = [2, 0.5];
/** Blocks with the value that a side must have. */
const LEAST_BLOCKS = 6;

/** Values of a field, each with a place in the sums. */
interface Places {
  readonly codes: readonly number[];
  readonly first: number;
  /** The place of each code that there may be; -1: it has none. */
  readonly of: Int16Array;
}

interface Pair {
  readonly number: ComparedField;
  readonly values: FieldCodes;
  readonly code: number;
  readonly place: number;
  readonly size: number;
  readonly chance: number;
}

/** Finds values whose records have other numbers on the sides, such as a route that got slow among others that are slower: first by means, then with the numbers of the pairs that shifted. */
export class NumberShifts {
  /** The columns that have to be read; null: none, or there is nothing to be compared. */
  readonly columns: WantedColumns | null;
  tests = 0;
  readonly #coded: CodedRecords;
  readonly #totals: Totals;
  readonly #numbers: readonly ComparedField[];
  readonly #places = new Map<FieldCodes, Places>();
  #size = 0;
  /** By number, place and block: the sum of the buckets, and how many there are. */
  readonly #sums: readonly Float64Array[];
  #pairs: readonly Pair[] = [];
  #counted: readonly NumberCounts[] = [];
  #buckets: readonly Int16Array[];

  constructor(coded: CodedRecords, totals: Totals) {
    this.#coded = coded;
    this.#totals = totals;
    const { fields } = coded;
    this.#numbers = fields
      .filter(({ codes, numbers }) => codes.within === null && numbers?.isCounter === false && isMeasured(codes, numbers))
      .slice(0, MOST_NUMBERS);
    if (this.#numbers.length > 0) for (const field of fields) this.#addPlaces(field);
    this.#sums = this.#numbers.map(() => new Float64Array(2 * this.#size * BLOCKS));
    this.#buckets = this.#numbers.map(() => new Int16Array(0));
    this.columns =
      this.#size === 0
        ? null
        : coded.columnsFor(
            this.#places.keys(),
            this.#numbers.map(({ codes }) => codes),
          );
  }

  /** Adds up the numbers of a segment. */
  add(segment: Segment, stored: MessageBatch, blocks: Uint8Array): void {
    this.#readBuckets(segment, stored);
    this.#eachValue(segment, stored, (places, codes, count, rows) => {
      for (const [n, buckets] of this.#buckets.entries()) {
        const sums = this.#sums[n] as Float64Array;
        const { of } = places;
        for (let i = 0; i < count; i++) {
          const place = of[codes[i] as number] as number;
          if (place < 0) continue;
          const row = rows === null ? i : (rows[i] as number);
          const bucket = buckets[row] as number;
          const block = blocks[row] as number;
          if (bucket < 0 || block === NO_BLOCK) continue;
          const at = 2 * (place * BLOCKS + block);
          sums[at] = (sums[at] as number) + bucket;
          sums[at + 1] = (sums[at + 1] as number) + 1;
        }
      }
    });
  }

  /** Chooses the pairs whose numbers are counted next. @returns whether there are any */
  choose(): boolean {
    const found: Pair[] = [];
    for (const [n, number] of this.#numbers.entries()) {
      const all = meanOf(number.numbers as NumberCounts, 1) - meanOf(number.numbers as NumberCounts, 0);
      for (const [values, { codes, first }] of this.#places)
        for (const [i, code] of codes.entries()) {
          const place = first + i;
          const shift = shiftBetween((this.#sums[n] as Float64Array).subarray(2 * place * BLOCKS, 2 * (place + 1) * BLOCKS));
          if (shift === null) continue;
          this.tests++;
          const { by, chance, records } = shift;
          if (Math.abs(by) < LEAST_SHIFT || Math.abs(by - all) < OWN_SHIFT * Math.abs(by)) continue;
          found.push({ number, values, code, place, size: Math.abs(by) * Math.sqrt(records), chance });
        }
    }
    this.#pairs = found
      .map((pair) => ({ ...pair, chance: overall(pair.chance, this.tests) }))
      .filter(({ chance }) => chance <= MOST_CHANCE)
      .sort((x, y) => y.size - x.size)
      .slice(0, MOST_PAIRS);
    this.#counted = this.#pairs.map(() => new NumberCounts());
    return this.#pairs.length > 0;
  }

  /** Counts the numbers of the pairs in a segment. */
  addPairs(segment: Segment, stored: MessageBatch, blocks: Uint8Array): void {
    this.#readBuckets(segment, stored);
    this.#eachValue(segment, stored, (places, codes, count, rows) => {
      for (const [p, { number, code, place }] of this.#pairs.entries()) {
        if (places.of[code] !== place) continue;
        const buckets = this.#buckets[this.#numbers.indexOf(number)] as Int16Array;
        const { counts } = this.#counted[p] as NumberCounts;
        for (let i = 0; i < count; i++) {
          if (codes[i] !== code) continue;
          const row = rows === null ? i : (rows[i] as number);
          const [bucket, block] = [buckets[row] as number, blocks[row] as number];
          if (bucket < 0 || block === NO_BLOCK) continue;
          counts[bucket * BLOCKS + block] = (counts[bucket * BLOCKS + block] as number) + 1;
        }
      }
    });
  }

  /** The parts of the numbers of each pair whose share changed most. */
  candidates(): Candidate[] {
    return this.#pairs.flatMap(({ number, values, code, chance }, p) => {
      const shift = shiftOf(number.codes, this.#counted[p] as NumberCounts, wholeOf(values.counts.of(code)));
      if (shift === null) return [];
      return amongAll({ ...shift, chance, among: { field: values, set: { codes: [code], pattern: null } } }, this.#totals);
    });
  }

  #addPlaces({ codes: field, numbers }: ComparedField): void {
    if (this.#places.size >= MOST_FIELDS || field.within !== null || field.mode === 'none' || field.isLossy || isMeasured(field, numbers))
      return;
    const { a, b } = this.#totals;
    const [inA, inB] = [field.counts.sums(0, field.known), field.counts.sums(1, field.known)];
    const codes = Array.from(inA.keys()).filter((code) => {
      const [x, y] = [inA[code] as number, inB[code] as number];
      const isFrequent = x >= Math.max(LEAST_RECORDS, LEAST_SHARE * a) && y >= Math.max(LEAST_RECORDS, LEAST_SHARE * b);
      return isFrequent && x + y < NEARLY_ALL * (a + b);
    });
    const first = this.#size;
    const of = new Int16Array(NO_CODE + 1).fill(-1);
    const chosen = codes.sort((x, y) => (inB[y] as number) - (inB[x] as number)).slice(0, MOST_VALUES);
    if (chosen.length === 0) return;
    for (const [i, code] of chosen.entries()) of[code] = first + i;
    this.#size += chosen.length;
    this.#places.set(field, { codes: chosen, first, of });
  }

  #eachValue(
    segment: Segment,
    stored: MessageBatch,
    visit: (places: Places, codes: Uint16Array, count: number, rows: Uint32Array | null) => void,
  ): void {
    const isWanted = (field: FieldCodes): boolean => this.#places.has(field);
    this.#coded.each(segment, stored, isWanted, (field, codes, count, rows) =>
      visit(this.#places.get(field) as Places, codes, count, rows),
    );
  }

  /** Finds the bucket of each row; -1: it has no number. */
  #readBuckets(segment: Segment, stored: MessageBatch): void {
    this.#buckets = this.#buckets.map((room) => (room.length < segment.length ? new Int16Array(segment.length) : room).fill(-1));
    const isWanted = (field: FieldCodes): boolean => this.#numbers.some(({ codes }) => codes === field);
    this.#coded.eachColumn(segment, stored, isWanted, (field, column, count) => {
      const values = numbersOf(column);
      if (values === null) return;
      const buckets = this.#buckets[this.#numbers.indexOf(field)] as Int16Array;
      const { rows, offsets } = column;
      for (let i = 0; i < count; i++) {
        const at = offsets === null ? i : (offsets[i] as number);
        if (offsets !== null && at === offsets[i + 1]) continue;
        const value = values[at] as number;
        if (value === value) buckets[rows === null ? i : (rows[i] as number)] = bucketOf(value);
      }
    });
  }
}

/** The mean bucket of a side. */
function meanOf(numbers: NumberCounts, side: 0 | 1): number {
  const counts = numbers.sums(side);
  let [sum, all] = [0, 0];
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    sum += bucket * (counts[bucket] as number);
    all += counts[bucket] as number;
  }
  return sum / all;
}

interface Shift {
  readonly by: number;
  readonly chance: number;
  readonly records: number;
}

/** Compares the mean of the sides by Student's test, with the variance between blocks of the calmer side, and less what drifts within it; null: too few blocks have the value. @param sums for each block the sum and the count */
export function shiftBetween(sums: Float64Array): Shift | null {
  const [a, b] = [sideOf(sums, 0), sideOf(sums, 1)];
  if (a.blocks < LEAST_BLOCKS || b.blocks < LEAST_BLOCKS) return null;
  const by = b.mean - a.mean;
  const beyond = Math.max(0, Math.abs(by) - 2 * Math.min(a.drift, b.drift));
  const variance = Math.min(a.variance, b.variance) * (1 / a.count + 1 / b.count);
  const t = beyond === 0 ? 0 : beyond / Math.sqrt(Math.max(variance, 1e-12));
  return { by, chance: studentTail(t, Math.min(a.blocks, b.blocks) - 1), records: b.count };
}

function sideOf(sums: Float64Array, side: 0 | 1) {
  const from = side * SIDE_BLOCKS;
  let [sum, count, blocks] = [0, 0, 0];
  const halves = [0, 0, 0, 0];
  for (let block = from; block < from + SIDE_BLOCKS; block++) {
    const [own, records] = [sums[2 * block] as number, sums[2 * block + 1] as number];
    if (records > 0) blocks++;
    sum += own;
    count += records;
    const half = block < from + SIDE_BLOCKS / 2 ? 0 : 2;
    halves[half] = (halves[half] as number) + own;
    halves[half + 1] = (halves[half + 1] as number) + records;
  }
  const mean = sum / count;
  let squares = 0;
  for (let block = from; block < from + SIDE_BLOCKS; block++) {
    const records = sums[2 * block + 1] as number;
    if (records > 0) squares += records * ((sums[2 * block] as number) / records - mean) ** 2;
  }
  const [x, n, y, m] = halves as [number, number, number, number];
  return { mean, count, blocks, variance: squares / Math.max(1, blocks - 1), drift: n === 0 || m === 0 ? 0 : Math.abs(y / m - x / n) };
}
