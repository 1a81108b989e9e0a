import type { NumberSeries } from '../api/record-graph-types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { bucketsOf, rangeOf, type HistogramRequest } from './histogram.ts';
import { bucketOf, KeptSummaries, type Buckets, type SlotSummary } from './kept-summaries.ts';
import type { RecordStore } from './record-store.ts';
import { millisecondsOf } from './times.ts';
import { numberReader } from './values.ts';
import type { ViewEntry } from './view-entry.ts';
import type { RecordView } from './view.ts';

/** The numbers of an entry by slot of time. */
interface NumberSummary extends SlotSummary {
  /** Fives of slot − firstSlot, count, sum, minimum and maximum. */
  readonly cells: Float64Array;
}

const CELL = 5;
const kept = new KeptSummaries<NumberSummary>(summarise);

/** Average, minimum and maximum of a number in the records of a view over time. What the view has not yet looked at is not in it. */
export async function numberSeries(
  store: RecordStore,
  view: RecordView,
  variable: string,
  request: HistogramRequest,
): Promise<NumberSeries> {
  const range = rangeOf(view.span, request);
  if (range === null) return { ...seriesOf(new Totals(0)), from: request.from ?? 0, to: request.from ?? 0, bucketMs: 1, complete: true };
  const time = bucketsOf(range, request.buckets);
  const totals = new Totals(time.buckets);
  const complete = await kept.visit(store, view, variable, time, (summary) => totals.add(summary, time));
  return { ...seriesOf(totals), from: time.from, to: time.from + time.buckets * time.bucketMs, bucketMs: time.bucketMs, complete };
}

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
  return { slotMs, firstSlot, cells: Float64Array.from([...bySlot].flatMap(([slot, cell]) => [slot, ...cell])) };
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

  add(summary: NumberSummary, time: Buckets): void {
    const { cells } = summary;
    for (let i = 0; i < cells.length; i += CELL) {
      const [slot = 0, count = 0, sum = 0, minimum = 0, maximum = 0] = cells.subarray(i, i + CELL);
      const at = bucketOf(summary, slot, time);
      if (at < 0 || at >= time.buckets) continue;
      this.counts[at] = (this.counts[at] as number) + count;
      this.sums[at] = (this.sums[at] as number) + sum;
      // NaN is neither more nor less.
      if (!((this.minimum[at] as number) <= minimum)) this.minimum[at] = minimum;
      if (!((this.maximum[at] as number) >= maximum)) this.maximum[at] = maximum;
    }
  }
}

function seriesOf({ counts, sums, minimum, maximum }: Totals): Pick<NumberSeries, 'average' | 'minimum' | 'maximum'> {
  return { average: sums.map((sum, i) => sum / (counts[i] as number)), minimum, maximum };
}
