import { joinBytes } from './backing.ts';
import { decodeFrameHeader, encodeFrameHeader, type FrameHeader } from './frame-header.ts';
import { sign, type Signature, type Signer } from './signing.ts';

/** Messages in a stream: 0x1E, the length of the header (1 byte), the header, 0x1F, the message. */

const RECORD_SEPARATOR = 0x1e;
const UNIT_SEPARATOR = 0x1f;
/** The two separators and the length of the header. */
const FRAMING_BYTES = 3;
const MAX_HEADER_BYTES = 255;

/** Largest message in bytes by default. */
export const DEFAULT_MAX_MESSAGE_SIZE = 65_536;
const MIN_MAX_MESSAGE_SIZE = 1025;

/** A message or header that is too large to be framed, or a maximum that is too small. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** A record of the stream. */
export interface FrameRecord {
  /** The message's bytes: a view on the pushed chunks. */
  readonly message: Uint8Array;
  /** Length of the header with its framing. */
  readonly headerBytes: number;
  /** null when the record carries no digest. See `authenticate`. */
  readonly signature: Signature | null;
}

export interface FrameOptions {
  /** In bytes, above 1024. */
  readonly maxMessageSize?: number;
}

export interface SplitterOptions extends FrameOptions {
  /** Receives the reason why a record was skipped: its header does not parse, or its message is too long. Called once for adjacent bytes. */
  readonly onProblem?: (what: string) => void;
  /** Receives the number and offset of adjacent bytes that belong to no record, when the next record is found or the stream ends. */
  readonly onSkip?: (bytes: number, offset: number) => void;
}

/**
 * A record that holds these message bytes, signed when there is a signer. A message above the maximum size or a header above 255
 * bytes is a FrameError.
 */
export function frame(message: Uint8Array, signer: Signer | null = null, options: FrameOptions = {}): Uint8Array {
  const max = maxSizeOf(options);
  if (message.length > max) throw new FrameError(`a message of ${message.length} bytes, at most ${max} are allowed`);
  const header = encodeFrameHeader({ messageLength: message.length, signature: signer === null ? null : sign(message, signer) });
  if (header.length > MAX_HEADER_BYTES)
    throw new FrameError(`a header of ${header.length} bytes, at most ${MAX_HEADER_BYTES} are possible`);
  const record = new Uint8Array(FRAMING_BYTES + header.length + message.length);
  record[0] = RECORD_SEPARATOR;
  record[1] = header.length;
  record.set(header, 2);
  record[2 + header.length] = UNIT_SEPARATOR;
  record.set(message, FRAMING_BYTES + header.length);
  return record;
}

/**
 * Finds records in a stream that comes in chunks of any size. Other bytes are skipped, one separator at a time. Chunks must not
 * be changed after they were pushed. Takes time linear in the stream.
 */
export class FrameSplitter {
  readonly #max: number;
  readonly #onProblem: (what: string) => void;
  readonly #onSkip: (bytes: number, offset: number) => void;
  /** Bytes of the stream that are behind the last record, and those before the buffer. */
  #skipFrom = 0;
  #toldProblem = false;
  #offset = 0;
  #pending: Uint8Array[] = [];
  #have = 0;
  /** With fewer bytes than this there is nothing new to find. */
  #need = 1;

  constructor(options: SplitterOptions = {}) {
    this.#max = maxSizeOf(options);
    this.#onProblem = options.onProblem ?? (() => undefined);
    this.#onSkip = options.onSkip ?? (() => undefined);
  }

  /** Bytes that wait for the rest of their record. */
  get pending(): number {
    return this.#have;
  }

  /** The records that this chunk completes. */
  push(chunk: Uint8Array): FrameRecord[] {
    if (chunk.length === 0) return [];
    this.#pending.push(chunk);
    this.#have += chunk.length;
    return this.#have < this.#need ? [] : this.#split(false);
  }

  /**
   * Ends the stream: separators that were waiting for a header or a message turn out to begin no record, and there
   * may be whole records behind them.
   */
  end(): FrameRecord[] {
    return this.#split(true);
  }

  #split(final: boolean): FrameRecord[] {
    const buffer = joinBytes(this.#pending);
    const records: FrameRecord[] = [];
    let at = 0;
    for (;;) {
      const found = findFrame(buffer, at, final, this.#max, (what) => this.#tellProblem(what));
      at = found.at;
      if (found.record === null) {
        this.#need = found.need;
        break;
      }
      this.#tellSkipped(this.#offset + found.start);
      this.#skipFrom = this.#offset + at;
      records.push(found.record);
    }
    const left = buffer.subarray(at);
    this.#offset += at;
    this.#pending = left.length === 0 ? [] : [left];
    this.#have = left.length;
    if (final) this.#tellSkipped(this.#offset);
    return records;
  }

  #tellProblem(what: string): void {
    if (!this.#toldProblem) this.#onProblem(what);
    this.#toldProblem = true;
  }

  #tellSkipped(to: number): void {
    this.#toldProblem = false;
    if (to > this.#skipFrom) this.#onSkip(to - this.#skipFrom, this.#skipFrom);
    this.#skipFrom = to;
  }
}

/** The result of a search in a buffer. */
export type FoundFrame =
  /** `start`: position of the record; `at`: the position behind it. */
  | { readonly record: FrameRecord; readonly start: number; readonly at: number }
  /** Nothing before `at` begins a record; with fewer than `need` bytes from there on, there is nothing new to find. */
  | { readonly record: null; readonly at: number; readonly need: number };

/**
 * Searches a buffer from `from` on for the next record. Bytes that only begin like a record are skipped, one separator at a time. At the end of a
 * stream (`final`), a record that is cut off is skipped too.
 */
export function findFrame(
  buffer: Uint8Array,
  from: number,
  final: boolean,
  maxMessageSize: number,
  onProblem: (what: string) => void = () => undefined,
): FoundFrame {
  for (let at = from; (at = buffer.indexOf(RECORD_SEPARATOR, at)) >= 0; at++) {
    const rest = buffer.length - at;
    const headerBytes = rest < 2 ? 2 : (buffer[at + 1] as number) + FRAMING_BYTES;
    if (rest < headerBytes) {
      if (!final) return { record: null, at, need: headerBytes };
      continue;
    }
    const header = headerAt(buffer, at, headerBytes, maxMessageSize, onProblem);
    if (header === null) continue;
    const end = at + headerBytes + header.messageLength;
    if (end <= buffer.length) {
      const message = buffer.subarray(at + headerBytes, end);
      return { record: { message, headerBytes, signature: header.signature }, start: at, at: end };
    }
    if (!final) return { record: null, at, need: end - at };
  }
  return { record: null, at: buffer.length, need: 1 };
}

/** The header of the record that may begin at `at`, or null when none does. */
function headerAt(buffer: Uint8Array, at: number, headerBytes: number, max: number, onProblem: (what: string) => void): FrameHeader | null {
  const end = at + headerBytes - 1;
  if (buffer[end] !== UNIT_SEPARATOR) return null;
  let header: FrameHeader;
  try {
    header = decodeFrameHeader(buffer.subarray(at + 2, end));
  } catch (error) {
    onProblem(`a header that does not parse: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
  if (header.messageLength <= max) return header;
  onProblem(`a message of ${header.messageLength} bytes, at most ${max} are allowed`);
  return null;
}

function maxSizeOf({ maxMessageSize }: FrameOptions): number {
  if (maxMessageSize === undefined) return DEFAULT_MAX_MESSAGE_SIZE;
  if (maxMessageSize < MIN_MAX_MESSAGE_SIZE) throw new FrameError(`a maximum message size of ${maxMessageSize}, it must be above 1024`);
  return maxMessageSize;
}
