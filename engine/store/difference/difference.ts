import type { Difference as Answer, DifferenceQuery, DifferenceRow } from '../../api/difference-types.ts';
import { Serial } from '../../base/time/serial.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { WantedColumns } from '../../message/batch/wire.ts';
import { SegmentScan } from '../segment-scan.ts';
import type { RecordStore } from '../record-store.ts';
import type { Segment } from '../segment.ts';
import { byScore, candidatesOf, mostOf, type Compared } from './candidates.ts';
import { CauseCounts } from './causes.ts';
import type { Totals } from './chance.ts';
import { CodedRecords } from './coded-records.ts';
import type { FieldCodes } from './field-codes.ts';
import { COMPARED } from './field-table.ts';
import { NumberShifts } from './number-shifts.ts';
import { distinctOf, type Distinct } from './overlaps.ts';
import { RecordMarks } from './record-marks.ts';
import { Sides } from './sides.ts';
import { rateRow, timeRows } from './time-rows.ts';
import { filterOfCandidate, sentenceOf, variableOf } from './words.ts';

const MOST_ROWS = 10;
/** Passes over the records. */
const PASSES = 7;

/**
 * Compares the records that two queries select: which values, patterns of texts and parts of numbers have another share of B than of A, beyond chance, and what
 * the records that differ have in common. All records are counted, in memory that is bounded but for some bytes for each record.
 */
export class Difference {
  readonly #store: RecordStore;
  readonly #sides: Sides;
  readonly #coded: CodedRecords;
  readonly #isByValue: boolean;
  readonly #segments: readonly Segment[];
  readonly #turns = new Serial();
  readonly #work: AsyncGenerator<void>;
  #steps = 0;
  #compared: Compared = { candidates: [], tests: 0 };
  #rows: readonly DifferenceRow[] = [];
  #isComplete = false;

  /** @throws {EngineError} `query.matcher`, `query.regex` */
  constructor(store: RecordStore, { a, b, without = [] }: DifferenceQuery) {
    this.#store = store;
    this.#sides = new Sides(a, b);
    this.#coded = new CodedRecords(without);
    this.#isByValue = without.length > 0;
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
    const { fields } = this.#coded;
    return {
      rows: this.#rows,
      a: this.#sides.side(0),
      b: this.#sides.side(1),
      tests: this.#compared.tests,
      skipped: fields
        .filter(({ codes, numbers }) => codes.mode === 'none' && numbers === null && codes.within === null)
        .map(({ codes }) => codes.name),
      done: this.#isComplete ? 1 : Math.min(0.99, this.#steps / Math.max(1, PASSES * this.#segments.length)),
      complete: this.#isComplete,
    };
  }

  async *#run(): AsyncGenerator<void> {
    const inside = this.#segments.filter((one) => !this.#sides.isOutside(one));
    for await (const [segment, stored] of this.#read(inside, this.#sides.columns)) {
      this.#sides.select(segment, stored);
      yield;
    }
    const { records } = this.#sides;
    const segments = [...this.#sides.segments];
    if (records[0] === 0 || records[1] === 0) return;
    for await (const [segment, stored] of this.#read(segments, COMPARED)) {
      this.#coded.count(segment, stored, this.#sides.divide(segment, stored));
      yield;
    }
    const parts = this.#coded.findParts(records[0] + records[1]);
    for await (const [segment, stored] of this.#read(parts === null ? [] : segments, parts)) {
      this.#coded.countParts(segment, stored, this.#sides.blocksOf(segment));
      yield;
    }
    const { totals: blocks, seconds } = this.#sides;
    const totals: Totals = { blocks, a: records[0], b: records[1], seconds, isByValue: this.#isByValue && seconds === null };
    this.#compared = candidatesOf(this.#coded.fields, totals);
    const shifts = new NumberShifts(this.#coded, totals);
    for await (const [segment, stored] of this.#read(shifts.columns === null ? [] : segments, shifts.columns)) {
      shifts.add(segment, stored, this.#sides.blocksOf(segment));
      yield;
    }
    for await (const [segment, stored] of this.#read(shifts.choose() ? segments : [], shifts.columns)) {
      shifts.addPairs(segment, stored, this.#sides.blocksOf(segment));
      yield;
    }
    this.#compared = mostOf([...this.#compared.candidates, ...shifts.candidates()], this.#compared.tests + shifts.tests);
    const marks = new RecordMarks(this.#compared.candidates, this.#coded);
    for await (const [segment, stored] of this.#again(this.#compared.candidates.length > 0 ? segments : [], marks.columns)) {
      marks.mark(segment, stored, this.#sides.blocksOf(segment));
      yield;
    }
    const found = distinctOf(this.#compared.candidates, marks.counts, totals, MOST_ROWS);
    const causes = new CauseCounts(found);
    const { fields } = this.#coded;
    const explaining = fields.filter(({ codes: { mode } }) => mode !== 'none').map(({ codes }) => codes);
    const isAny = (): boolean => true;
    for await (const [segment, stored] of this.#again(found.length > 0 ? segments : [], this.#coded.columnsFor(explaining))) {
      const masks = marks.rowsIn(segment, found, this.#sides.blocksOf(segment));
      if (masks !== null)
        this.#coded.each(segment, stored, isAny, (field, codes, count, rows) => causes.add(field, codes, count, rows, masks));
      yield;
    }
    this.#coded.clear();
    this.#rows = this.#rowsOf(found, causes, totals);
  }

  async *#read(segments: readonly Segment[], wanted: WantedColumns | null): AsyncGenerator<readonly [Segment, MessageBatch]> {
    const scan = new SegmentScan(this.#store, wanted);
    for (const [i, segment] of segments.entries()) {
      const stored = await scan.read(segment, segments[i + 1]);
      this.#steps++;
      yield [segment, stored];
    }
  }

  /** The segments once more. @param wanted null: what is known of them is enough */
  async *#again(segments: readonly Segment[], wanted: WantedColumns | null): AsyncGenerator<readonly [Segment, MessageBatch | null]> {
    if (wanted !== null) yield* this.#read(segments, wanted);
    else
      for (const segment of segments) {
        this.#steps++;
        yield [segment, null];
      }
  }

  #rowsOf(found: readonly Distinct[], causes: CauseCounts, totals: Totals): DifferenceRow[] {
    const { records } = this.#sides;
    const rows = found.map(({ candidate, same, also }, row): DifferenceRow => {
      const told = [candidate, ...same, ...also];
      // The parts of a text are told with it, and the text with a part.
      const isChanged = (field: FieldCodes, code: number): boolean =>
        told.some((one) => {
          const [of, at] = field.within === null ? [field, code] : [field.within.field, field.within.code];
          const { within } = one.field;
          if (one.among?.field === of) return one.among.set.codes.includes(at);
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
