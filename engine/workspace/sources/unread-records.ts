import { compileFilters } from '../../store/filter-stack.ts';
import type { RecordQuery } from '../../api/types.ts';
import type { Age } from '../../inputs/shared/read.ts';
import { pieceBatch, type RecordHeaders } from '../../inputs/pieces.ts';
import type { Splitter } from '../../inputs/splitter.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { RefusedReader } from '../../pipeline/completed.ts';
import { DecodeStage, type DecodedRecords } from '../../pipeline/decode-stage.ts';
import { RepeatedHour } from '../../pipeline/repeated-hour.ts';
import type { Sandbox } from '../../sandbox/contract/types.ts';
import { isUndated } from '../../store/rows.ts';
import { withRaw } from '../../store/segment.ts';
import { milliseconds } from '../../store/times.ts';
import type { CutRecords, Range, WholeRecordsFile } from './whole-records.ts';

/** Bytes that are decoded at once, where records are short; and where they are not. */
const CHUNK_BYTES = 64 << 10;
const MOST_BYTES = 4 << 20;

/** A record that was decoded before those in front of it. */
export interface UnreadRow {
  readonly stored: MessageBatch;
  readonly row: number;
  /** Its first byte in the file. */
  readonly at: number;
}

/** All records of a part of a file, which begins and ends with one. */
export interface UnreadChunk extends Range {
  readonly rows: readonly UnreadRow[];
}

/** How the records of a file are cut and decoded. */
export interface UnreadForm {
  readonly splitter: Splitter;
  /** null: they are raw. */
  readonly decoder: Sandbox | null;
  readonly refused: RefusedReader;
  readonly headers: RecordHeaders;
  readonly path: string;
  readonly age: Age | null;
  readonly timeOffset: () => bigint;
}

/**
 * Decodes any part of a file as if all in front of it had been decoded. A part begins with a record whose time is its own: others take theirs, or go on with a
 * record, from what is in front of them.
 */
export class UnreadRecords {
  readonly #file: WholeRecordsFile;
  readonly #form: UnreadForm;
  /** null: the clock of the decoder's zone shows no hour twice. */
  readonly #hour: RepeatedHour | null;

  constructor(file: WholeRecordsFile, form: UnreadForm) {
    this.#file = file;
    this.#form = form;
    this.#hour = RepeatedHour.of(form.decoder?.spec.config['tz']);
  }

  /** The part in front of a record, or of the end of the file; null: where the records there begin cannot be told. */
  before(to: number): Promise<UnreadChunk | null> {
    return this.#widening((bytes) => this.#decode({ from: Math.max(this.#file.first, to - bytes), to }, true));
  }

  /** The part that begins with a record; null: as above. */
  behind(from: number): Promise<UnreadChunk | null> {
    return this.#widening((bytes) => this.#decode({ from, to: Math.min(this.#file.size, from + bytes) }, false, true));
  }

  /** A part that holds a byte; null: as above. */
  async around(at: number): Promise<UnreadChunk | null> {
    const { first, size } = this.#file;
    if (at >= size) return this.before(size);
    return this.#widening(async (bytes) => {
      const range = { from: Math.max(first, at - bytes), to: Math.min(size, at + bytes) };
      const found = await this.#decode(range, false);
      const isThere = found !== null && found.from <= Math.max(at, first) && (found.to > at || range.to === size);
      return isThere ? found : null;
    });
  }

  async #widening(decode: (bytes: number) => Promise<UnreadChunk | null>): Promise<UnreadChunk | null> {
    for (let bytes = CHUNK_BYTES; bytes <= MOST_BYTES; bytes *= 4) {
      const found = await decode(bytes);
      if (found !== null) return found;
    }
    return null;
  }

  /** @param ends whether a record ends at the end of the range @param begins whether one begins at its beginning */
  async #decode(range: Range, ends: boolean, begins = range.from === this.#file.first): Promise<UnreadChunk | null> {
    const isEnd = ends || range.to >= this.#file.size;
    const { cuts, end } = await this.#file.cut(this.#form.splitter, range, begins, isEnd);
    const rows = await this.#decoded(cuts);
    if (begins && isEnd) return { from: range.from, to: end, rows };
    const own = (row: UnreadRow): boolean => this.#isOwn(row);
    const first = begins ? 0 : rows.findIndex(own);
    // The last record may go on, unless its end is known.
    const last = isEnd ? rows.length : rows.findLastIndex(own);
    if (first === -1 || last <= first) return null;
    return { from: begins ? range.from : (rows[first] as UnreadRow).at, to: rows[last]?.at ?? end, rows: rows.slice(first, last) };
  }

  async #decoded(cuts: readonly CutRecords[]): Promise<UnreadRow[]> {
    const { decoder, refused, headers, path, age, timeOffset } = this.#form;
    const found: DecodedRecords[] = [];
    const stage = new DecodeStage({
      decoder,
      refusedBy: () => (decoder === null ? null : refused),
      inheritTimes: true,
      timeOffset,
      sink: {
        accept: (records) => {
          found.push(records);
          return Promise.resolve({ delivered: Promise.resolve() });
        },
      },
    });
    const order = age?.years?.begin(cuts[0]?.starts[0]);
    for (const { piece } of cuts) {
      const batch = pieceBatch(piece, headers);
      const writtenNs = order?.times(batch) ?? age?.writtenNs;
      await stage.deliver({ batch, firstLine: 0, source: path, writtenNs, acknowledge: () => undefined });
    }
    await stage.drained();
    return found.flatMap(({ batch, raw, origins }, i) => {
      const stored = withRaw(batch, raw);
      const { starts } = cuts[i] as CutRecords;
      return Array.from({ length: batch.length }, (_, row) => ({ stored, row, at: starts[origins?.[row] ?? row] as number }));
    });
  }

  /** Whether all of a record is known without those in front of it. */
  #isOwn({ stored, row }: UnreadRow): boolean {
    const { decoder, timeOffset } = this.#form;
    if (decoder === null) return true;
    return !isUndated(stored, row) && this.#hour?.isTwice((stored.timestamps[row] as bigint) - timeOffset()) !== true;
  }
}

/**
 * Compiles what a query says of records, for those of one source that are all new.
 * @throws {EngineError} `query.matcher`, `query.regex`
 */
export function compileUnread(query: RecordQuery): (rows: readonly UnreadRow[]) => readonly UnreadRow[] {
  const filters = compileFilters(query);
  const { from = -Infinity, to = Infinity } = query;
  const isAll = filters === null && from === -Infinity && to === Infinity;
  return (rows) => {
    if (isAll) return rows;
    const selected = new Map(
      [...new Set(rows.map(({ stored }) => stored))].map((stored) => [stored, selectedOf(filters?.select(stored, null) ?? null)]),
    );
    return rows.filter(({ stored, row }) => {
      const time = milliseconds(stored.timestamps[row] as bigint);
      return time >= from && time < to && (selected.get(stored)?.has(row) ?? true);
    });
  };
}

const selectedOf = (rows: Uint32Array | Uint16Array | null): ReadonlySet<number> | null => (rows === null ? null : new Set(rows));
