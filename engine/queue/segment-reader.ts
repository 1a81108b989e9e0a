import { open, type FileHandle } from 'node:fs/promises';
import { readAt } from '../base/files/read-at.ts';
import { findRecord, type QueueRecord } from './record.ts';
import type { Cursor, QueueFolder } from './segments.ts';

/** Records of one segment, in order. */
export interface ReadRecords {
  readonly records: readonly QueueRecord[];
  /** Bytes before records that were skipped because they are no record. */
  readonly skipped: number;
  /** The same at the end of the segment. */
  readonly torn: number;
  /** Length of the records and the skipped bytes, and the position behind them. */
  readonly bytes: number;
  readonly cursor: Cursor;
}

const PIECE_BYTES = 256 << 10;

/** Reads the segments of a queue. */
export class SegmentReader {
  readonly #folder: QueueFolder;
  #handle: FileHandle | null = null;
  #cursor: Cursor;

  /** @param cursor the position to begin at */
  constructor(folder: QueueFolder, cursor: Cursor) {
    this.#folder = folder;
    this.#cursor = cursor;
  }

  /** The position behind the records that were read. */
  get cursor(): Cursor {
    return this.#cursor;
  }

  /**
   * The next records of the segment.
   * @param end the end of the segment; nothing behind it is read
   * @throws the errors of the file system
   */
  async read(end: number): Promise<ReadRecords> {
    const { segment, offset } = this.#cursor;
    const handle = (this.#handle ??= await open(this.#folder.segmentPath(segment), 'r'));
    for (let wanted = PIECE_BYTES; ; wanted *= 2) {
      const piece = await readAt(handle, offset, Math.min(wanted, end - offset));
      const final = offset + piece.length >= end || piece.length < wanted;
      const found = recordsIn(piece, final);
      if (found.records.length === 0 && found.end === 0 && !final) continue;
      this.#cursor = { segment, offset: offset + (final ? Math.max(found.end, end - offset) : found.end) };
      const torn = final ? found.end - found.last : 0;
      return { records: found.records, skipped: found.skipped, torn, bytes: this.#cursor.offset - offset, cursor: this.#cursor };
    }
  }

  /** Passes over records of the segment that are known already. */
  passOver(to: Cursor): void {
    this.#cursor = to;
  }

  /** Goes on at the beginning of a later segment. */
  async moveTo(segment: number): Promise<void> {
    await this.close();
    this.#cursor = { segment, offset: 0 };
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }
}

/** The whole records of a piece, the number of bytes before them that are none, the end of the last one, and the end of the bytes that were searched. */
function recordsIn(piece: Uint8Array, final: boolean): { records: QueueRecord[]; skipped: number; last: number; end: number } {
  const records: QueueRecord[] = [];
  let skipped = 0;
  let last = 0;
  for (;;) {
    const { record, start } = findRecord(piece, last, final);
    if (record === null && final) return { records, skipped, last, end: start };
    skipped += start - last;
    if (record === null) return { records, skipped, last, end: start };
    records.push(record);
    last = record.end;
  }
}
