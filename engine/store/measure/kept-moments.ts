import type { Measure, MeasureAnswer, MeasureQuery } from '../../api/measure-types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { bucketsOf, rangeOf } from '../histogram.ts';
import { bucketOf, KeptSummaries, type SlotSummary } from '../kept-summaries.ts';
import type { RecordStore } from '../record-store.ts';
import { millisecondsOf } from '../times.ts';
import { numberReader } from '../values.ts';
import type { ViewEntry } from '../view-entry.ts';
import type { RecordView } from '../view.ts';

/** The numbers of an entry by slot of time. */
interface NumberSummary extends SlotSummary {
  readonly records: number;
  /** Fives of slot − firstSlot, count, sum, minimum and maximum. */
  readonly cells: Float64Array;
}

const CELL = 5;
const kept = new KeptSummaries<NumberSummary>(summarise, (by) => by);

/** Whether the numbers of a query are made of summaries that are kept: those over time, without groups, of which percentiles and different values are no part. */
export const isOfMoments = ({ measures, of, by, over }: MeasureQuery): boolean =>
  of !== null && by.length === 0 && over !== null && measures.every((measure) => measure in NUMBERS);

/**
 * Answers such a query from the summaries of the entries, so that a chart of very many records that grows, or of which another part is shown, is drawn
 * at once.
 */
export async function keptMoments(store: RecordStore, view: RecordView, { measures, of, over }: MeasureQuery): Promise<MeasureAnswer> {
  const range = rangeOf(view.span, over ?? { buckets: 1 });
  const time = range === null ? { from: 0, bucketMs: 1, buckets: 0 } : bucketsOf(range, over?.buckets ?? 1);
  const totals = new Totals(time.buckets);
  const whole = new Totals(1);
  let records = 0;
  const complete =
    range === null ||
    (await kept.visit(store, view, of ?? '', time, (summary) => {
      totals.add(summary, (slot) => bucketOf(summary, slot, time));
      whole.add(summary, (slot) => (isIn(bucketOf(summary, slot, time), time.buckets) ? 0 : -1));
      records += summary.records;
    }));
  const series = measures.map((measure) => totals.series(measure));
  const count = whole.counts[0] as number;
  return {
    groups: [],
    all: { records, numbers: measures.map((measure) => whole.series(measure)[0] as number), series },
    ...{ distinct: 0, missing: 0, without: records - count, exact: true },
    from: time.from,
    bucketMs: time.bucketMs,
    ...{ looked: records, total: view.total, complete },
  };
}

const isIn = (bucket: number, buckets: number): boolean => bucket >= 0 && bucket < buckets;

function summarise(stored: MessageBatch, { rows, count }: ViewEntry, variable: string, slots: SlotSummary): NumberSummary {
  const { slotMs, firstSlot } = slots;
  const times = millisecondsOf(stored.timestamps);
  const read = numberReader(stored, variable);
  const bySlot = new Map<number, [number, number, number, number]>();
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : (rows[i] as number);
    const value = read(row);
    if (Number.isNaN(value)) continue;
    const slot = Math.floor((times[row] as number) / slotMs) - firstSlot;
    const cell = bySlot.get(slot);
    if (cell === undefined) bySlot.set(slot, [1, value, value, value]);
    else {
      cell[0]++;
      cell[1] += value;
      if (value < cell[2]) cell[2] = value;
      if (value > cell[3]) cell[3] = value;
    }
  }
  return { slotMs, firstSlot, records: count, cells: Float64Array.from([...bySlot].flatMap(([slot, cell]) => [slot, ...cell])) };
}

/** The numbers of all entries by bucket. */
class Totals {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;

  constructor(buckets: number) {
    this.counts = new Float64Array(buckets);
    this.sums = new Float64Array(buckets);
    this.minimum = new Float64Array(buckets).fill(NaN);
    this.maximum = new Float64Array(buckets).fill(NaN);
  }

  add({ cells }: NumberSummary, placeOf: (slot: number) => number): void {
    for (let i = 0; i < cells.length; i += CELL) {
      const at = placeOf(cells[i] as number);
      if (!isIn(at, this.counts.length)) continue;
      const [minimum, maximum] = [cells[i + 3] as number, cells[i + 4] as number];
      this.counts[at] = (this.counts[at] as number) + (cells[i + 1] as number);
      this.sums[at] = (this.sums[at] as number) + (cells[i + 2] as number);
      // NaN is neither more nor less.
      if (!((this.minimum[at] as number) <= minimum)) this.minimum[at] = minimum;
      if (!((this.maximum[at] as number) >= maximum)) this.maximum[at] = maximum;
    }
  }

  series(measure: Measure): Float64Array {
    return NUMBERS[measure as keyof typeof NUMBERS](this);
  }
}

const NUMBERS = {
  count: ({ counts }: Totals) => counts,
  sum: ({ counts, sums }: Totals) => sums.map((sum, i) => (counts[i] === 0 ? NaN : sum)),
  average: ({ counts, sums }: Totals) => sums.map((sum, i) => sum / (counts[i] as number)),
  min: ({ minimum }: Totals) => minimum,
  max: ({ maximum }: Totals) => maximum,
};
