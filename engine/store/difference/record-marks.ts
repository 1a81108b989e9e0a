import type { MessageBatch } from '../../message/batch/batch.ts';
import type { FieldColumn } from '../../message/batch/columns.ts';
import type { WantedColumns } from '../../message/batch/wire.ts';
import type { Segment } from '../segment.ts';
import { NO_BLOCK, SIDE_BLOCKS } from './block-counts.ts';
import type { Candidate } from './candidates.ts';
import type { CodedRecords } from './coded-records.ts';
import type { FieldCodes } from './field-codes.ts';
import { bucketOf, numbersOf } from './number-counts.ts';
import type { Distinct } from './overlaps.ts';

interface Marked {
  readonly candidate: Candidate;
  readonly bit: number;
}

/** Memory that is used for one segment after the other. */
const [NO_MASKS, NO_ROWS] = [new Uint32Array(0), new Uint16Array(0)];

/** The candidates that each record is in, a bit for each, and how many records of each side have which of them. */
export class RecordMarks {
  /** The columns that have to be read for it; null: none. */
  readonly columns: WantedColumns | null;
  readonly counts = new Map<number, [a: number, b: number]>();
  readonly #coded: CodedRecords;
  /** The bits of each code: of candidates, and of those whose numbers count only among records with it. */
  readonly #values: ReadonlyMap<FieldCodes, Uint32Array>;
  readonly #among: ReadonlyMap<FieldCodes, Uint32Array>;
  readonly #numbers: ReadonlyMap<FieldCodes, readonly Marked[]>;
  readonly #masks = new Map<Segment, Uint32Array>();
  #room = NO_MASKS;
  #rows = NO_ROWS;

  constructor(candidates: readonly Candidate[], coded: CodedRecords) {
    this.#coded = coded;
    const values = new Map<FieldCodes, Uint32Array>();
    const among = new Map<FieldCodes, Uint32Array>();
    const numbers = new Map<FieldCodes, Marked[]>();
    for (const [at, candidate] of candidates.entries()) {
      const bit = 1 << at;
      if (candidate.kind !== 'number') addBits(values, candidate, bit);
      else numbers.set(candidate.field, [...(numbers.get(candidate.field) ?? []), { candidate, bit }]);
      if (candidate.among !== null) addBits(among, candidate.among, bit);
    }
    [this.#values, this.#among, this.#numbers] = [values, among, numbers];
    this.columns = coded.columnsFor(new Set([...values.keys(), ...among.keys()]), [...numbers.keys()]);
  }

  /** Finds the candidates that the records of a segment are in. @param stored the columns that were to be read */
  mark(segment: Segment, stored: MessageBatch | null, blocks: Uint8Array): void {
    if (this.#room.length < segment.length) this.#room = new Uint32Array(segment.length);
    const masks = this.#room.subarray(0, segment.length).fill(0);
    const among = this.#among.size === 0 ? null : new Uint32Array(segment.length);
    const isMarked = (field: FieldCodes): boolean => this.#values.has(field) || this.#among.has(field);
    this.#coded.each(segment, stored, isMarked, (field, codes, count, rows) => {
      markCodes(masks, this.#values.get(field), codes, count, rows);
      if (among !== null) markCodes(among, this.#among.get(field), codes, count, rows);
    });
    if (stored !== null)
      this.#coded.eachColumn(
        segment,
        stored,
        (field) => this.#numbers.has(field),
        ({ codes }, column, count) => {
          for (const { candidate, bit } of this.#numbers.get(codes) ?? [])
            markNumbers(masks, column, count, candidate, bit, candidate.among === null ? null : among);
        },
      );
    if (this.#count(masks, blocks)) this.#masks.set(segment, masks.slice());
  }

  /** The rows of the answer that each record of a segment is in, in the side that has more of it, until the next ones are asked for; null: none is in any. */
  rowsIn(segment: Segment, found: readonly Distinct[], blocks: Uint8Array): Uint16Array | null {
    const masks = this.#masks.get(segment);
    if (masks === undefined) return null;
    if (this.#rows.length < masks.length) this.#rows = new Uint16Array(masks.length);
    const rows = this.#rows.fill(0, 0, masks.length);
    let isAny = false;
    let [last, lastRows]: [number, readonly [number, number]] = [0, [0, 0]];
    for (let row = 0; row < masks.length; row++) {
      const mask = masks[row] as number;
      const block = blocks[row] as number;
      if (mask === 0 || block === NO_BLOCK) continue;
      if (mask !== last) [last, lastRows] = [mask, rowsOf(mask, found)];
      const own = lastRows[block < SIDE_BLOCKS ? 0 : 1];
      rows[row] = own;
      isAny ||= own !== 0;
    }
    return isAny ? rows : null;
  }

  /** @returns whether any record is in a candidate */
  #count(masks: Uint32Array, blocks: Uint8Array): boolean {
    let last = 0;
    let counts: [number, number] = [0, 0];
    for (let row = 0; row < masks.length; row++) {
      const mask = masks[row] as number;
      const block = blocks[row] as number;
      if (mask === 0 || block === NO_BLOCK) continue;
      if (mask !== last) {
        last = mask;
        const known = this.counts.get(mask);
        counts = known ?? [0, 0];
        if (known === undefined) this.counts.set(mask, counts);
      }
      counts[block < SIDE_BLOCKS ? 0 : 1]++;
    }
    return last !== 0;
  }
}

/** The rows of the answer that records of A and of B with such a mask are in. */
function rowsOf(mask: number, found: readonly Distinct[]): readonly [number, number] {
  const rows: [number, number] = [0, 0];
  for (const [i, { at, candidate }] of found.entries()) if (((mask >>> at) & 1) === 1) rows[candidate.lift > 0 ? 1 : 0] |= 1 << i;
  return rows;
}

function addBits(to: Map<FieldCodes, Uint32Array>, { field, set }: Pick<Candidate, 'field' | 'set'>, bit: number): void {
  const bits = to.get(field) ?? new Uint32Array(field.size);
  for (const code of set.codes) bits[code] = (bits[code] as number) | bit;
  to.set(field, bits);
}

function markCodes(masks: Uint32Array, bits: Uint32Array | undefined, codes: Uint16Array, count: number, rows: Uint32Array | null): void {
  if (bits === undefined) return;
  for (let i = 0; i < count; i++) {
    const bit = bits[codes[i] as number] ?? 0;
    if (bit === 0) continue;
    const row = rows === null ? i : (rows[i] as number);
    masks[row] = (masks[row] as number) | bit;
  }
}

/** @param among bits of the rows whose numbers count; null: all do */
function markNumbers(
  masks: Uint32Array,
  column: FieldColumn,
  count: number,
  { bucket, isBelow }: Candidate,
  bit: number,
  among: Uint32Array | null,
): void {
  const values = numbersOf(column);
  if (values === null) return;
  const { rows, offsets } = column;
  for (let i = 0; i < count; i++) {
    const at = offsets === null ? i : (offsets[i] as number);
    if (offsets !== null && at === offsets[i + 1]) continue;
    const value = values[at] as number;
    if (value !== value || bucketOf(value) < bucket !== isBelow) continue;
    const row = rows === null ? i : (rows[i] as number);
    if (among === null || ((among[row] as number) & bit) !== 0) masks[row] = (masks[row] as number) | bit;
  }
}
