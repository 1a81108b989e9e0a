import type { DifferenceSide } from '../../api/difference-types.ts';
import type { RecordQuery } from '../../api/types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { WantedColumns } from '../../message/batch/wire.ts';
import { compileQuery, type Rows, type SegmentFilter } from '../query.ts';
import type { Segment } from '../segment.ts';
import { millisecondsInto } from '../times.ts';
import { allOf, columnsOf } from '../wanted.ts';
import { partRange } from '../segment.ts';
import { BLOCKS, NO_BLOCK, SIDE_BLOCKS } from './block-counts.ts';
import { ofMainType } from './main-type.ts';
import { SideClock } from './side-clock.ts';

/** Rows of a segment whose times are looked at to find where most are. */
const SAMPLES = 64;
/** Share of the records that may lie apart at either end, and the share of the span from which on they do. */
const [APART, FAR] = [0.005, 0.05];
/** Share of the shorter side that both have in common, from which on they are of the same time. */
const SAME_TIME = 0.5;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The records of the sides by segment, and where their blocks of time are. */
export class Sides {
  readonly clock = new SideClock();
  readonly records: [number, number] = [0, 0];
  /** Records by block; filled by `divide`. */
  readonly totals = new Uint32Array(BLOCKS);
  readonly #filters: readonly [SegmentFilter, SegmentFilter];
  /** The side of each row, and once it is divided the block. */
  readonly #rows = new Map<Segment, Uint8Array>();
  readonly #samples: [number[], number[]] = [[], []];
  readonly #extremes: readonly [{ from: number; to: number }, { from: number; to: number }] = [
    { from: Infinity, to: -Infinity },
    { from: Infinity, to: -Infinity },
  ];
  #times = new Float64Array(0);
  #spans: readonly [Span, Span] | null = null;

  /** @throws {EngineError} `query.matcher`, `query.regex` */
  constructor(a: RecordQuery, b: RecordQuery) {
    this.#filters = [compileQuery(a), compileQuery(b)];
  }

  /** The columns by which the records are selected, and told from others among them; null: all. */
  get columns(): WantedColumns | null {
    return allOf([columnsOf(['Type']), ...this.#filters.map(({ columns }) => columns)]);
  }

  /** Whether no record of a segment is of a side, as far as that is known without them. */
  isOutside(segment: Segment): boolean {
    return this.#filters.every((filter) => filter.known(segment)?.length === 0);
  }

  /** Segments with records of a side. */
  get segments(): Iterable<Segment> {
    return this.#rows.keys();
  }

  select(segment: Segment, stored: MessageBatch): void {
    const sides = new Uint8Array(segment.length);
    for (const side of [0, 1] as const) {
      const filter = this.#filters[side];
      const rows = filter.known(segment);
      mark(sides, rows === undefined ? filter.select(segment, stored) : rows, side + 1);
    }
    const times = this.#timesOf(stored);
    const step = Math.max(1, Math.floor(segment.length / SAMPLES));
    let any = false;
    for (let row = 0; row < sides.length; row++) {
      const side = (sides[row] as number) - 1;
      if (side < 0) continue;
      any = true;
      this.records[side as 0 | 1]++;
      const time = times[row] as number;
      const extremes = this.#extremes[side as 0 | 1];
      if (time < extremes.from) extremes.from = time;
      if (time > extremes.to) extremes.to = time;
      if (row % step === 0) this.#samples[side as 0 | 1].push(time);
    }
    if (!any) return;
    this.#rows.set(segment, sides);
    for (const [i, { source, stream }] of segment.parts.entries()) {
      const [from, to] = partRange(segment, i);
      this.clock.add(source, stream, times, ofMainType(sides, stored, from, to), from, to);
    }
  }

  /** The spans of the sides, once all is selected. */
  get spans(): readonly [Span, Span] {
    return (this.#spans ??= [0, 1].map((side) =>
      spanOf(Float64Array.from(this.#samples[side as 0 | 1]).sort(), this.#extremes[side as 0 | 1]),
    ) as [Span, Span]);
  }

  /** Seconds of A by those of B; null: they are of the same time, or of no length. */
  get seconds(): number | null {
    const [a, b] = this.spans;
    const [lengthA, lengthB] = [a.to - a.from, b.to - b.from];
    const common = Math.min(a.to, b.to) - Math.max(a.from, b.from);
    if (!(lengthA > 0 && lengthB > 0) || common > SAME_TIME * Math.min(lengthA, lengthB)) return null;
    return lengthA / lengthB;
  }

  side(side: 0 | 1): DifferenceSide {
    return this.records[side] === 0 ? { records: 0, from: 0, to: 0 } : { records: this.records[side], ...this.spans[side] };
  }

  /** Finds the block of each row, once all is selected, and counts them. */
  divide(segment: Segment, stored: MessageBatch): Uint8Array {
    const blocks = this.blocksOf(segment);
    const times = this.#timesOf(stored);
    const [a, b] = this.spans;
    const [fromA, fromB] = [a.from, b.from];
    const [scaleA, scaleB] = [SIDE_BLOCKS / (a.to - a.from + 1), SIDE_BLOCKS / (b.to - b.from + 1)];
    const { totals } = this;
    for (let row = 0; row < blocks.length; row++) {
      const side = (blocks[row] as number) - 1;
      if (side < 0) {
        blocks[row] = NO_BLOCK;
        continue;
      }
      const time = times[row] as number;
      const block = Math.floor(side === 0 ? (time - fromA) * scaleA : (time - fromB) * scaleB);
      const at = side * SIDE_BLOCKS + (block < 0 ? 0 : block >= SIDE_BLOCKS ? SIDE_BLOCKS - 1 : block);
      blocks[row] = at;
      totals[at] = (totals[at] as number) + 1;
    }
    return blocks;
  }

  /** The times of the rows, until those of others are asked for. */
  #timesOf({ timestamps }: MessageBatch): Float64Array {
    if (this.#times.length < timestamps.length) this.#times = new Float64Array(timestamps.length);
    return millisecondsInto(this.#times, timestamps);
  }

  /** The block of each row of a segment that was divided. */
  blocksOf(segment: Segment): Uint8Array {
    return this.#rows.get(segment) as Uint8Array;
  }
}

function mark(sides: Uint8Array, rows: Rows, side: number): void {
  if (rows === null) sides.fill(side);
  else for (let i = 0; i < rows.length; i++) sides[rows[i] as number] = side;
}

/** Span of the times, without the few that lie far from the others. */
function spanOf(sorted: Float64Array, { from, to }: Span): Span {
  const { length } = sorted;
  if (length === 0) return { from: 0, to: 0 };
  const [low, high] = [sorted[Math.floor(APART * length)] as number, sorted[Math.ceil((1 - APART) * length) - 1] as number];
  const far = FAR * Math.max(1, high - low);
  return { from: low - from <= far ? from : low, to: to - high <= far ? to : high };
}
