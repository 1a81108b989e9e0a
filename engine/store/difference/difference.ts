import type { Difference as Answer, DifferenceQuery, DifferenceRow } from '../../api/difference-types.ts';
import { Serial } from '../../base/time/serial.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { SegmentScan } from '../segment-scan.ts';
import type { RecordStore } from '../record-store.ts';
import type { Segment } from '../segment.ts';
import { NO_BLOCK, SIDE_BLOCKS } from './block-counts.ts';
import { byScore, candidatesOf, type Candidate, type Compared } from './candidates.ts';
import { CauseCounts } from './causes.ts';
import type { Totals } from './chance.ts';
import { COMPARED, FieldTable, type ComparedField, type VisitColumn } from './field-table.ts';
import { bucketOf } from './number-counts.ts';
import { distinctOf, type Distinct } from './overlaps.ts';
import { Sides } from './sides.ts';
import { rateRow, timeRows } from './time-rows.ts';
import { filterOfCandidate, sentenceOf, variableOf } from './words.ts';

const MOST_ROWS = 10;
/** Passes over the records. */
const PASSES = 5;

/**
 * Compares the records that two queries select: which values, patterns of texts and parts of numbers have another share of B than of A, beyond chance, and what
 * the records that differ have in common. All records are counted, in memory that is bounded but for some bytes for each record.
 */
export class Difference {
  readonly #store: RecordStore;
  readonly #sides: Sides;
  readonly #table: FieldTable;
  readonly #segments: readonly Segment[];
  readonly #turns = new Serial();
  readonly #work: AsyncGenerator<void>;
  /** The candidates that each record is in. */
  readonly #masks = new Map<Segment, Uint32Array>();
  #codes = new Int32Array(4096);
  #steps = 0;
  #compared: Compared = { candidates: [], tests: 0 };
  #rows: readonly DifferenceRow[] = [];
  #isComplete = false;

  /** @throws {EngineError} `query.matcher`, `query.regex` */
  constructor(store: RecordStore, { a, b, without = [] }: DifferenceQuery) {
    this.#store = store;
    this.#sides = new Sides(a, b);
    this.#table = new FieldTable(without);
    this.#segments = store.segments.filter(({ alive }) => alive > 0);
    this.#work = this.#run();
  }

  get complete(): boolean {
    return this.#isComplete;
  }

  /** Goes on for about so many milliseconds. */
  advance(budgetMs: number): Promise<void> {
    return this.#turns.run(async () => {
      const deadline = performance.now() + budgetMs;
      while (!this.#isComplete && performance.now() < deadline) {
        const { done } = await this.#work.next();
        this.#isComplete = done === true;
      }
    });
  }

  answer(): Answer {
    const fields = [...this.#table.fields.values()];
    return {
      rows: this.#rows,
      a: this.#sides.side(0),
      b: this.#sides.side(1),
      tests: this.#compared.tests,
      skipped: fields.filter(({ codes, numbers }) => codes.mode === 'none' && numbers === null).map(({ codes }) => codes.name),
      done: this.#isComplete ? 1 : Math.min(0.99, this.#steps / Math.max(1, PASSES * this.#segments.length)),
      complete: this.#isComplete,
    };
  }

  async *#run(): AsyncGenerator<void> {
    for await (const [segment, stored] of this.#read(
      this.#segments.filter((one) => !this.#sides.isOutside(one)),
      this.#sides.columns,
    )) {
      this.#sides.select(segment, stored);
      yield;
    }
    const { records } = this.#sides;
    const segments = [...this.#sides.segments];
    if (records[0] === 0 || records[1] === 0) return;
    for await (const [segment, stored] of this.#read(segments, COMPARED)) {
      this.#count(stored, this.#sides.blocksOf(segment, stored, true), 'each');
      yield;
    }
    const hasParts = this.#table.findParts(records[0] + records[1]);
    for await (const [segment, stored] of this.#read(hasParts ? segments : [], COMPARED)) {
      this.#count(stored, this.#sides.blocksOf(segment, stored, false), 'eachPart');
      yield;
    }
    const totals: Totals = { blocks: this.#sides.totals, a: records[0], b: records[1], seconds: this.#sides.seconds };
    this.#compared = candidatesOf(this.#table.all(), totals);
    const { candidates } = this.#compared;
    const masks = new Map<number, [number, number]>();
    for await (const [segment, stored] of this.#read(candidates.length > 0 ? segments : [], COMPARED)) {
      this.#mark(segment, stored, masks);
      yield;
    }
    const found = distinctOf(candidates, masks, totals, MOST_ROWS);
    const causes = new CauseCounts(found);
    for await (const [segment, stored] of this.#read(found.length > 0 ? segments : [], COMPARED)) {
      this.#explain(segment, stored, found, causes);
      yield;
    }
    this.#masks.clear();
    this.#rows = this.#rowsOf(found, causes, totals);
  }

  async *#read(segments: readonly Segment[], wanted: Sides['columns']): AsyncGenerator<readonly [Segment, MessageBatch]> {
    const scan = new SegmentScan(this.#store, wanted);
    for (const [i, segment] of segments.entries()) {
      const stored = await scan.read(segment, segments[i + 1]);
      this.#steps++;
      yield [segment, stored];
    }
  }

  #room(count: number): Int32Array {
    if (this.#codes.length < count) this.#codes = new Int32Array(count);
    return this.#codes;
  }

  #count(stored: MessageBatch, blocks: Uint8Array, each: 'each' | 'eachPart'): void {
    this.#table[each](stored, ({ codes: field, numbers }, column, count) => {
      const codes = this.#room(count);
      numbers?.add(column, count, blocks);
      field.fill(column, count, codes, true);
      if (field.mode !== 'none') field.counts.add(codes, count, column.rows, blocks, field.size);
    });
  }

  /** Finds the candidates that each record is in, and counts the sets of them. */
  #mark(segment: Segment, stored: MessageBatch, masks: Map<number, [number, number]>): void {
    const { candidates } = this.#compared;
    const own = new Uint32Array(segment.length);
    const visit: VisitColumn = (field, column, count) => {
      const of = candidates.flatMap((one, at) => (one.field === field.codes ? [[one, 1 << at] as const] : []));
      if (of.length === 0) return;
      const values = of.filter(([{ kind }]) => kind !== 'number');
      const codes = this.#room(count);
      if (values.length > 0) {
        field.codes.fill(column, count, codes, false);
        const bits = new Uint32Array(field.codes.size);
        for (const [{ set }, bit] of values) for (const code of set.codes) bits[code] = (bits[code] as number) | bit;
        for (let i = 0; i < count; i++) {
          const bit = bits[codes[i] as number] ?? 0;
          if (bit !== 0) own[rowOf(column, i)] = (own[rowOf(column, i)] as number) | bit;
        }
      }
      for (const [candidate, bit] of of) if (candidate.kind === 'number') markNumbers(own, column, count, candidate, bit);
    };
    this.#table.each(stored, visit);
    if (candidates.some(({ field }) => field.within !== null)) this.#table.eachPart(stored, visit);
    const blocks = this.#sides.blocksOf(segment, stored, false);
    for (let row = 0; row < own.length; row++) {
      const mask = own[row] as number;
      const block = blocks[row] as number;
      if (mask === 0 || block === NO_BLOCK) continue;
      let counts = masks.get(mask);
      if (counts === undefined) masks.set(mask, (counts = [0, 0]));
      counts[block < SIDE_BLOCKS ? 0 : 1]++;
    }
    this.#masks.set(segment, own);
  }

  #explain(segment: Segment, stored: MessageBatch, found: readonly Distinct[], causes: CauseCounts): void {
    const own = this.#masks.get(segment) as Uint32Array;
    const blocks = this.#sides.blocksOf(segment, stored, false);
    const masks = new Uint16Array(segment.length);
    let any = false;
    for (let row = 0; row < own.length; row++) {
      const block = blocks[row] as number;
      if (own[row] === 0 || block === NO_BLOCK) continue;
      const isB = block >= SIDE_BLOCKS;
      let mask = 0;
      for (const [i, { at, candidate }] of found.entries())
        if ((((own[row] as number) >>> at) & 1) === 1 && candidate.lift > 0 === isB) mask |= 1 << i;
      masks[row] = mask;
      any ||= mask !== 0;
    }
    if (!any) return;
    const visit: VisitColumn = ({ codes: field }, column, count) => {
      const codes = this.#room(count);
      if (field.mode === 'none') return;
      field.fill(column, count, codes, false);
      causes.add(field, codes, count, column.rows, masks);
    };
    this.#table.each(stored, visit);
    this.#table.eachPart(stored, visit);
  }

  #rowsOf(found: readonly Distinct[], causes: CauseCounts, totals: Totals): DifferenceRow[] {
    const { records } = this.#sides;
    const rows = found.map(({ candidate, same, also }, row): DifferenceRow => {
      const told = [candidate, ...same, ...also];
      // The parts of a text are told with it, and the text with a part.
      const isChanged = (field: ComparedField['codes'], code: number): boolean =>
        told.some((one) => {
          const [of, at] = field.within === null ? [field, code] : [field.within.field, field.within.code];
          const { within } = one.field;
          return within === null ? one.field === of && one.set.codes.includes(at) : within.field === of && within.code === at;
        });
      const { kind, field, a, b, shareA, shareB, chance, score } = candidate;
      return {
        kind,
        text: sentenceOf(candidate, same),
        variable: variableOf(field),
        a: { count: a, share: shareA },
        b: { count: b, share: shareB },
        lift: shareB / shareA,
        chance,
        score,
        filter: filterOfCandidate(candidate),
        causes: causes.of(row, records, isChanged),
        also: also.map((one) => sentenceOf(one)),
      };
    });
    return [...rows, ...rateRow(this.#sides, totals), ...timeRows(this.#sides, totals)].sort(byScore).slice(0, MOST_ROWS);
  }
}

type Column = Parameters<Parameters<FieldTable['each']>[1]>[1];

const rowOf = ({ rows }: Column, entry: number): number => (rows === null ? entry : (rows[entry] as number));

function markNumbers(own: Uint32Array, column: Column, count: number, { bucket, isBelow }: Candidate, bit: number): void {
  if (column.valueType !== 2 && column.valueType !== 3) return;
  const { offsets, values } = column;
  for (let i = 0; i < count; i++) {
    const at = offsets === null ? i : (offsets[i] as number);
    if (offsets !== null && at === offsets[i + 1]) continue;
    const value = Number(values[at]);
    if (value === value && bucketOf(value) < bucket === isBelow) own[rowOf(column, i)] = (own[rowOf(column, i)] as number) | bit;
  }
}
