import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { readAt } from '../../base/files/read-at.ts';
import { cutPieces, type Piece } from '../../inputs/pieces.ts';
import { probe, PROBE_BYTES } from '../../inputs/probe.ts';
import { initialState, type CutState, type Outlook, type Splitter } from '../../inputs/splitter.ts';

/** Bytes behind a record that show that it has ended. */
const AHEAD = 64 << 10;
/** Milliseconds after which a last record without its end is one: the same as where the file is followed. */
const QUIET_MS = 300;
const NEWLINE = 10;

/** A part of a file. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Records as they were cut, and the first byte of each in the file. */
export interface CutRecords {
  readonly piece: Piece;
  readonly starts: readonly number[];
}

/** The records that are whole in a range. */
export interface WholeRecords {
  readonly cuts: readonly CutRecords[];
  /** The byte behind the last of them. */
  readonly end: number;
}

/** A file of text that can be read by bytes, from any place. */
export class WholeRecordsFile {
  readonly size: number;
  /** Another one when it has changed. */
  readonly version: string;
  /** Position of the first record. */
  readonly first: number;
  readonly #handle: FileHandle;
  readonly #isQuiet: boolean;

  private constructor(handle: FileHandle, first: number, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>) {
    this.#handle = handle;
    this.first = Math.min(first, size);
    this.size = size;
    this.version = `${size}:${mtimeMs}`;
    this.#isQuiet = Math.abs(Date.now() - mtimeMs) > QUIET_MS;
  }

  /** Null for what cannot be read by bytes: packed files, UTF-16, and lines that end in another way. */
  static async of(handle: FileHandle): Promise<WholeRecordsFile | null> {
    const info = await handle.stat();
    const kind = probe(await readAt(handle, 0, Math.min(info.size, PROBE_BYTES)));
    if (kind.kind !== 'text' || kind.encoding !== 'utf-8' || kind.lineEnd !== undefined) return null;
    return new WholeRecordsFile(handle, kind.bom, info);
  }

  /**
   * Cuts a range into records. Where it does not begin with a record, what is in front of the second line and the first record there is left out: they may be
   * torn. At the end, the record that goes on behind it is left out.
   * @param begins whether a record begins at `from`
   * @param ends whether a record ends at `to`
   */
  async cut(splitter: Splitter, { from, to }: Range, begins: boolean, ends: boolean): Promise<WholeRecords> {
    const bytes = await readAt(this.#handle, from, Math.min(this.size, ends ? to + AHEAD : to) - from);
    const skipped = begins ? 0 : bytes.indexOf(NEWLINE) + 1;
    if (!begins && skipped === 0) return { cuts: [], end: from };
    const state: CutState = { ...initialState(), line: from === this.first ? 1 : 0 };
    const cuts: CutRecords[] = [];
    const limit = ends && to < this.size ? to : Infinity;
    let isTorn = !begins;
    let end = from + skipped;
    for (const piece of cutPieces(splitter, bytes, skipped, this.#outlook(from + bytes.length), state)) {
      const starts = Array.from(piece.starts, (start) => from + start);
      const torn = isTorn && starts.length > 0 ? 1 : 0;
      const count = starts.findIndex((start) => start >= limit);
      const kept = part(piece, torn, count === -1 ? starts.length : count);
      isTorn &&= torn === 0;
      if (kept.count > 0) cuts.push({ piece: kept, starts: starts.slice(torn, torn + kept.count) });
      end = Math.min(limit, from + piece.consumed);
      if (end === limit) break;
    }
    return { cuts, end };
  }

  #outlook(end: number): Outlook {
    if (end < this.size) return 'more';
    return this.#isQuiet ? 'end' : 'pause';
  }
}

/** The records [from, to) of a piece. */
function part(piece: Piece, from: number, to: number): Piece {
  const { text, starts, ends } = piece.payload;
  return { ...piece, count: Math.max(0, to - from), payload: { text, starts: starts.subarray(from, to), ends: ends.subarray(from, to) } };
}
