import type { Writable } from 'node:stream';
import { errorCode } from '../base/errors.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { PackedPieces } from '../message/batch/packed.ts';
import { NotDeliveredError } from './delivery.ts';

/** The encoded form of one message. */
export type Piece = string | Uint8Array;

/** The encoded forms of some messages. */
export type Pieces = readonly Piece[] | PackedPieces;

/** The notes of a disk buffer about what need not come again after a crash. Numbers are of pieces, or of messages, from the first one on that was given. */
export interface Receipt {
  /** Notes that so many were taken for good. Resolves when the next ones may be written. */
  taken(count: number): Promise<void>;
  /** A text that stands for so many, for a target that keeps it with the data; see `Writer.resumedAt`. */
  mark(count: number): string;
  /** Bytes on disk behind the chunk that these are of. Absent: not known. */
  waiting?(): number;
}

/** The destination of an output. */
export interface Writer {
  /** `write` may be called again before the last call has resolved. */
  readonly overlaps?: boolean;
  /**
   * There is one when `write` may take long, for it gathers what many calls bring: the next data may come when this resolves. Its source keeps the data
   * until it is written.
   */
  room?(): Promise<void>;
  /** Writes what it has gathered: somebody waits for that. */
  hurry?(): void;
  /** Counts for reports. */
  readonly figures?: Readonly<Record<string, number>>;
  /** The reason for which its target takes nothing now; null or absent: none. */
  readonly problem?: string | null;
  /**
   * Resolves when all of it was taken. @throws {NotDeliveredError} when it gave up on data that is to be delivered again; other errors: the data is lost
   * @param signal aborted when the attempt is to end, for a target that may let one wait
   */
  write(pieces: Pieces, receipt?: Receipt, signal?: AbortSignal): Promise<void>;
  /**
   * As `write`, of rows (null: all) of a batch. There is one when the target needs no encoded messages: then they are not encoded.
   * @param isPatient nobody waits until they are written
   */
  writeBatch?(batch: MessageBatch, rows: Uint32Array | null, isPatient?: boolean): Promise<void>;
  /** As `write`, of rows (null: all) of a batch, each of which `messages` has in protobuf. There is one when the target needs both. */
  writeEncoded?(batch: MessageBatch, rows: Uint32Array | null, messages: readonly Uint8Array[], receipt?: Receipt): Promise<void>;
  /** The mark of the last pieces that the target had from an earlier run; absent or null: it does not say. */
  readonly resumedAt?: string | null;
  close(): Promise<void>;
  /** The service is about to stop: attempts that fail are given up soon. */
  closing?(): void;
  /** Closes and reopens its target: the file of that name may be another one now. */
  reopen?(): Promise<void>;
}

/** Codes of errors that say that the reader of a stream has gone. */
export const READER_GONE: ReadonlySet<string> = new Set(['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED']);

/**
 * Standard output, or another stream that is not closed. With `lines`, a piece without a line end gets one. What nobody reads any more (`| head`) is not
 * delivered, so that the next start has it again.
 */
export class StreamWriter implements Writer {
  readonly #stream: Writable;
  readonly #lines: boolean;

  constructor(stream: Writable, options: { readonly lines?: boolean } = {}) {
    this.#stream = stream;
    this.#lines = options.lines === true;
  }

  async write(pieces: Pieces): Promise<void> {
    const bytes = joined(this.#lines ? asLines(pieces) : pieces);
    if (bytes.length === 0) return;
    const error = await new Promise<Error | null | undefined>((resolve) => this.#stream.write(bytes, resolve));
    if (READER_GONE.has(errorCode(error))) throw new NotDeliveredError('nobody reads standard output any more', false, { cause: error });
    if (error) throw error;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Pieces as bytes, one behind the other; not copied where they lie in memory like that already. */
export function joined(pieces: Pieces): Buffer {
  if (pieces instanceof PackedPieces) return bufferOf(pieces.bytes);
  return adjacent(pieces) ?? Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** The memory of pieces each of which begins where the one before ends; null for others. */
function adjacent(pieces: readonly Piece[]): Buffer | null {
  const [first] = pieces;
  if (first === undefined || typeof first === 'string') return null;
  const { buffer, byteOffset } = first;
  let end = byteOffset;
  for (const piece of pieces) {
    if (typeof piece === 'string' || piece.buffer !== buffer || piece.byteOffset !== end) return null;
    end += piece.length;
  }
  return Buffer.from(buffer, byteOffset, end - byteOffset);
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

/** Pieces of which each ends a line. */
export function asLines(pieces: Pieces): Pieces {
  if (pieces instanceof PackedPieces && endLines(pieces)) return pieces;
  return [...pieces].flatMap((piece) => (endsLine(piece) ? [piece] : [piece, '\n']));
}

const LINE_FEED = 10;

function endLines({ bytes, ends }: PackedPieces): boolean {
  return ends.every((end, i) => end > (i === 0 ? 0 : (ends[i - 1] as number)) && bytes[end - 1] === LINE_FEED);
}

function endsLine(piece: Piece): boolean {
  return typeof piece === 'string' ? piece.endsWith('\n') : piece.at(-1) === LINE_FEED;
}
