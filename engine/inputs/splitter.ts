import type { MessageBatch } from '../message/batch/batch.ts';

/** Most records of one batch. */
export const MAX_BATCH_RECORDS = 8192;
/** Most bytes of records in one batch, unless its only record is longer. */
export const MAX_BATCH_BYTES = 1 << 20;

/**
 * The outlook after the bytes that a splitter is given: `more` of them at once; nothing for now (`pause`); nothing at all (`end`), so
 * that the rest is a record too.
 */
export type Outlook = 'more' | 'pause' | 'end';

/** The state of a splitter at a position in its source; it continues from here after a restart. */
export interface CutState {
  /** Number of the next record: for lines the line number, 1-based. 0: not known. */
  line: number;
  /** The record was too long and was delivered cut: its rest is to be dropped. */
  skipping: boolean;
  /** The last record was a line without its end: a line end that comes next belongs to it. */
  midLine: boolean;
  /** Kind of the source, where that is recognised; see `FileKinds`. Empty: it is of none. Absent: it is not recognised yet. */
  kind?: string | undefined;
  /** 16 bytes in hexadecimal that tell the contents of a file from those of all others. Absent: nobody needs to, or they were not read yet. */
  contents?: string | undefined;
}

/** The form of a line, as a regular expression tests it. */
export interface LineTest {
  test(line: string): boolean;
}

export function initialState(): CutState {
  return { line: 1, skipping: false, midLine: false };
}

/** The records of one batch, as they were cut. Made once and used again. */
export class Cuts {
  /** Record i is bytes [starts[i], ends[i]) of the bytes that were cut; where `texts` holds the records, it only starts there. */
  readonly starts = new Uint32Array(MAX_BATCH_RECORDS);
  readonly ends = new Uint32Array(MAX_BATCH_RECORDS);
  count = 0;
  /** All records lie in bytes [textStart, textEnd). */
  textStart = 0;
  textEnd = 0;
  /** The records as text, from a splitter that works on text. */
  texts: string[] | null = null;
  /** The records as messages, from a splitter that finds messages, and their signer. */
  messages: MessageBatch | null = null;
  signer = '';
  /** Problem of bytes that were skipped because they are no record. */
  problem: string | null = null;
  /** `CutState.line` of the first record. */
  firstLine = 0;
  /** A record was longer than allowed and is cut here. */
  truncated = false;
  /** One of `texts` was no UTF-8. */
  invalid = false;

  reset(): void {
    this.count = 0;
    this.textStart = 0;
    this.textEnd = 0;
    this.texts = null;
    this.messages = null;
    this.signer = '';
    this.problem = null;
    this.firstLine = 0;
    this.truncated = false;
    this.invalid = false;
  }

  add(start: number, end: number): void {
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count++;
    this.textEnd = end;
  }
}

/** Finds the records in bytes. Holds no data: the caller gives the unused rest again, with the bytes behind it. */
export interface Splitter {
  /** Longest record in bytes; longer ones are delivered cut. */
  readonly maxRecord: number;
  /** The source is not text. */
  readonly isBinary?: boolean;
  /** The source may be text or not; its bytes come as they are. */
  readonly isRaw?: boolean;
  /** Records that were not delivered so far. */
  readonly dropped?: number;
  /**
   * Cuts at most one batch of records from bytes[from …] into `cuts` (which is reset) and moves `state` on. Returns the position behind
   * the bytes used up, which can be more than `from` without any record. Once `from` itself comes back, more bytes are needed.
   */
  cut(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number;
}

/** The last position at or before `at` where no UTF-8 sequence is cut through. */
export function characterBoundary(bytes: Uint8Array, at: number): number {
  let boundary = at;
  while (boundary > 0 && at - boundary < 3 && ((bytes[boundary] ?? 0) & 0xc0) === 0x80) boundary--;
  return ((bytes[boundary] ?? 0) & 0xc0) === 0x80 ? at : boundary;
}
