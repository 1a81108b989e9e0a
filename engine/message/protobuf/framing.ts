import { joinBytes } from '../batch/backing.ts';
import { decodeFrameHeader, encodeFrameHeader, LENGTH_KEY, type FrameHeader } from './frame-header.ts';
import { sign, type Signature, type Signer } from './signing.ts';

/** Messages in a stream: 0x1E, the length of the header (1 byte), the header, 0x1F, the message. */

export const FRAME_START = 0x1e;
export const FRAME_END = 0x1f;
/** The two separators and the length of the header. */
const FRAMING_BYTES = 3;
const MAX_HEADER_BYTES = 255;

/** Largest message in bytes by default. */
export const DEFAULT_MAX_MESSAGE_SIZE = 65_536;
const MIN_MAX_MESSAGE_SIZE = 1025;

/** Bytes that a record may have with messages of at most `maxMessageSize` bytes. */
export const maxRecordSize = (maxMessageSize: number): number => FRAMING_BYTES + MAX_HEADER_BYTES + maxMessageSize;

/** A message or header that is too large to be framed, or a maximum that is too small. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** A record of the stream. */
export class FrameRecord {
  /** The bytes in which the message lies at [start, end): those that were pushed, or a copy of them. Records that one chunk completes lie in the same. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Length of the header with its framing. */
  readonly headerBytes: number;
  /** null when the record carries no digest. See `authenticate`. */
  readonly signature: Signature | null;

  constructor(bytes: Uint8Array, start: number, end: number, headerBytes: number, signature: Signature | null) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.headerBytes = headerBytes;
    this.signature = signature;
  }

  /** The message's bytes: a view. */
  get message(): Uint8Array {
    return this.bytes.subarray(this.start, this.end);
  }
}

export interface FrameOptions {
  /** In bytes, above 1024. */
  readonly maxMessageSize?: number | undefined;
}

export interface SplitterOptions extends FrameOptions {
  /** Receives the reason why a record was skipped: its header does not parse, or its message is too long. Called once for adjacent bytes. */
  readonly onProblem?: (what: string) => void;
  /** Chunks may be changed after they were pushed; records are valid until the next one is pushed. */
  readonly transient?: boolean;
  /** Receives the number and offset of adjacent bytes that belong to no record, when the next record is found or the stream ends. */
  readonly onSkip?: (bytes: number, offset: number) => void;
}

/**
 * A record that holds these message bytes, signed when there is a signer. A message above the maximum size or a header above 255
 * bytes is a FrameError.
 */
export function frame(message: Uint8Array, signer: Signer | null = null, options: FrameOptions = {}): Uint8Array {
  const max = maxSizeOf(options);
  if (message.length > max) throw new FrameError(tooLarge(message.length, max));
  const header = encodeFrameHeader({ messageLength: message.length, signature: signer === null ? null : sign(message, signer) });
  if (header.length > MAX_HEADER_BYTES)
    throw new FrameError(`a header of ${header.length} bytes, at most ${MAX_HEADER_BYTES} are possible`);
  const record = new Uint8Array(FRAMING_BYTES + header.length + message.length);
  record[0] = FRAME_START;
  record[1] = header.length;
  record.set(header, 2);
  record[2 + header.length] = FRAME_END;
  record.set(message, FRAMING_BYTES + header.length);
  return record;
}

/** Chunks that wait for the rest of a record. */
interface Gathered {
  push(chunk: Uint8Array): void;
  /** All bytes that wait, in one piece. */
  bytes(): Uint8Array;
  /** Drops the bytes in front of a place in that piece. */
  drop(before: number): void;
}

/** Keeps chunks as they are. */
class KeptChunks implements Gathered {
  #chunks: Uint8Array[] = [];
  #joined: Uint8Array | null = null;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#joined = null;
  }

  bytes(): Uint8Array {
    return (this.#joined ??= joinBytes(this.#chunks));
  }

  drop(before: number): void {
    const left = this.bytes().subarray(before);
    this.#chunks = left.length === 0 ? [] : [left];
    this.#joined = null;
  }
}

/** Copies chunks into memory that is used again. */
class CopiedChunks implements Gathered {
  #memory = Buffer.alloc(0);
  #from = 0;
  #to = 0;

  push(chunk: Uint8Array): void {
    const have = this.#to - this.#from;
    if (have + chunk.length > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#memory.length, have + chunk.length));
      larger.set(this.#memory.subarray(this.#from, this.#to));
      this.#memory = larger;
    } else if (this.#from > 0) this.#memory.copyWithin(0, this.#from, this.#to);
    this.#memory.set(chunk, have);
    this.#from = 0;
    this.#to = have + chunk.length;
  }

  bytes(): Uint8Array {
    return this.#memory.subarray(this.#from, this.#to);
  }

  drop(before: number): void {
    this.#from += before;
  }
}

/**
 * Finds records in a stream that comes in chunks of any size. Other bytes are skipped, one separator at a time. Takes time linear in the stream. Without
 * `transient`, chunks must not be changed after they were pushed.
 */
export class FrameSplitter {
  readonly #max: number;
  readonly #onProblem: (what: string) => void;
  readonly #onSkip: (bytes: number, offset: number) => void;
  /** Bytes of the stream that are behind the last record, and those before the buffer. */
  #skipFrom = 0;
  #toldProblem = false;
  #offset = 0;
  readonly #gathered: Gathered;
  #have = 0;
  /** With fewer bytes than this there is nothing new to find. */
  #need = 1;

  constructor(options: SplitterOptions = {}) {
    this.#max = maxSizeOf(options);
    this.#onProblem = options.onProblem ?? (() => undefined);
    this.#onSkip = options.onSkip ?? (() => undefined);
    this.#gathered = options.transient === true ? new CopiedChunks() : new KeptChunks();
  }

  /** Bytes that wait for the rest of their record. */
  get pending(): number {
    return this.#have;
  }

  /** The records that this chunk completes. */
  push(chunk: Uint8Array): FrameRecord[] {
    if (chunk.length === 0) return [];
    this.#gathered.push(chunk);
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
    const buffer = this.#gathered.bytes();
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
    this.#gathered.drop(at);
    this.#offset += at;
    this.#have = buffer.length - at;
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
  for (let at = from; (at = separatorFrom(buffer, at)) >= 0; at++) {
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
      return { record: new FrameRecord(buffer, at + headerBytes, end, headerBytes, header.signature), start: at, at: end };
    }
    if (!final) return { record: null, at, need: end - at };
  }
  return { record: null, at: buffer.length, need: 1 };
}

/** Says that a message is too large. */
export const tooLarge = (bytes: number, max: number): string => `a message of ${bytes} bytes, at most ${max} are allowed`;

/** Mostly the next byte is one. */
const separatorFrom = (buffer: Uint8Array, at: number): number => (buffer[at] === FRAME_START ? at : buffer.indexOf(FRAME_START, at));

/** Reads a header [at, end) that has nothing but a length below 2^28, as most have; null for another one. */
function lengthAlone(buffer: Uint8Array, at: number, end: number): FrameHeader | null {
  if (buffer[at] !== LENGTH_KEY || end - at > 5) return null;
  let messageLength = 0;
  for (let i = at + 1; i < end; i++) {
    const byte = buffer[i] as number;
    messageLength |= (byte & 0x7f) << (7 * (i - at - 1));
    if (byte < 0x80) return i + 1 === end ? { messageLength, signature: null } : null;
  }
  return null;
}

/** The header of the record that may begin at `at`, or null when none does. */
function headerAt(buffer: Uint8Array, at: number, headerBytes: number, max: number, onProblem: (what: string) => void): FrameHeader | null {
  const end = at + headerBytes - 1;
  if (buffer[end] !== FRAME_END) return null;
  let header: FrameHeader;
  try {
    header = lengthAlone(buffer, at + 2, end) ?? decodeFrameHeader(buffer.subarray(at + 2, end));
  } catch (error) {
    onProblem(`a header that does not parse: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
  if (header.messageLength <= max) return header;
  onProblem(tooLarge(header.messageLength, max));
  return null;
}

/** @throws {FrameError} for one that is too small */
export function maxSizeOf({ maxMessageSize }: FrameOptions): number {
  if (maxMessageSize === undefined) return DEFAULT_MAX_MESSAGE_SIZE;
  if (maxMessageSize < MIN_MAX_MESSAGE_SIZE) throw new FrameError(`a maximum message size of ${maxMessageSize}, it must be above 1024`);
  return maxMessageSize;
}
