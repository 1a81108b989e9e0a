import type { FileHandle } from 'node:fs/promises';
import { isAway } from '../../base/errors.ts';
import type { TextPool } from '../../message/text-pool.ts';
import { fileChunks, textChunks } from '../chunks.ts';
import { MixedText, withLineFeeds } from '../mixed-text.ts';
import { GUARD_BYTES } from '../position-hash.ts';
import { isDamaged } from '../decompress.ts';
import { damagedProblem, InputError, noTextProblem } from '../notices.ts';
import { cutPieces, type Piece } from '../pieces.ts';
import { isTooShort, markLength, onlyLineEnd, probe, type LineEnd, type TextEncoding } from '../probe.ts';
import { RecordStream } from '../record-stream.ts';
import type { Outlook, Splitter } from '../splitter.ts';
import { incompleteTail } from '../text.ts';
import { formatOf, guardBefore, type Tail } from './tail.ts';

/** The end of a read: at the end of the file; before it; or at once, because the bytes before the mark are not the ones that were read. */
export type ReadEnd = 'end' | 'more' | 'rewritten';

/** Yields pieces; at each yield, the tail's mark is the one behind the piece. */
export type TailRead = AsyncGenerator<Piece, ReadEnd, undefined>;

const WINDOW_BYTES = (1 << 20) + GUARD_BYTES;
/** Of the beginning of a file less is read at once, as someone may wait to see it. */
const FIRST_WINDOW_BYTES = (512 << 10) + GUARD_BYTES;
const KEPT_WINDOW_BYTES = 4 << 20;
const NOTHING = Buffer.alloc(0);
const [NUL, CR]: readonly [LineEnd, LineEnd] = [0, 13];

/**
 * Reads on where a tail's mark stands. Each read starts with the bytes before the mark, so that a file that was truncated and
 * written anew is noticed, however large it is by then. The rest without a record end is read again next time: a file costs no memory.
 */
export class TailReader {
  readonly #splitter: Splitter;
  readonly #encoding: TextEncoding | null;
  readonly #texts: TextPool | null;
  #window = Buffer.allocUnsafeSlow(WINDOW_BYTES);

  /**
   * @param encoding of files that are not compressed; their first bytes tell when it is absent
   * @param texts memory for texts that whoever takes the pieces releases
   */
  constructor(splitter: Splitter, encoding?: TextEncoding, texts: TextPool | null = null) {
    this.#splitter = splitter;
    this.#encoding = encoding ?? null;
    this.#texts = texts;
  }

  /** Longest record in bytes. */
  get maxRecord(): number {
    return this.#splitter.maxRecord;
  }

  /** Records that were not delivered so far. */
  get dropped(): number {
    return this.#splitter.dropped ?? 0;
  }

  /**
   * Reads one window, of a compressed file everything. Only reads of compressed files may be left open while others go on. Throws an
   * InputError when the file is no text or damaged.
   * @param splitter of this file, if it has one of its own
   */
  async *read(tail: Tail, handle: FileHandle, splitter = this.#splitter): TailRead {
    if (tail.isCompressed) return yield* this.#readCompressed(tail, handle, splitter);
    for (;;) {
      const { guard, position } = tail.mark;
      const start = position - guard.length;
      const window = this.#windowAt(position);
      const length = await fill(handle, window, start);
      const bytes = window.subarray(0, length);
      if (length < guard.length || bytes.compare(guard, 0, guard.length, 0, guard.length) !== 0) return 'rewritten';
      if (tail.format === 'unknown') this.#identify(tail, bytes);
      if (tail.isCompressed) return yield* this.#readCompressed(tail, handle, splitter);
      const atEnd = length < window.length;
      // A rest that has grown since is not given out as it is.
      const flush = tail.isGenerated || (tail.flush && start + length - tail.mark.position === tail.restLength);
      yield* this.#cut(splitter, tail, bytes, start, atEnd ? (flush ? 'end' : 'pause') : 'more');
      if (atEnd) tail.setRest(bytes.subarray(tail.mark.position - start));
      if (atEnd || tail.mark.position > position) {
        if (this.#window.length > KEPT_WINDOW_BYTES) this.#window = Buffer.allocUnsafeSlow(WINDOW_BYTES);
        return atEnd ? 'end' : 'more';
      }
      this.#window = Buffer.allocUnsafeSlow(this.#window.length * 2);
    }
  }

  /** The memory for what is read at a position: all of it where it was enlarged for a long record. */
  #windowAt(position: number): Buffer {
    const isBeginning = position < WINDOW_BYTES && this.#window.length === WINDOW_BYTES;
    return isBeginning ? this.#window.subarray(0, FIRST_WINDOW_BYTES) : this.#window;
  }

  #identify(tail: Tail, bytes: Buffer): void {
    if (this.#splitter.isBinary === true) identifyBinary(tail, bytes);
    else if (this.#splitter.isRaw === true && this.#encoding === null) identifyRaw(tail, bytes);
    else if (this.#encoding === null && onlyLineEnd(bytes) !== null) identifyLine(tail, bytes);
    else if (this.#encoding !== null) identifyAs(tail, bytes, this.#encoding);
    else identify(tail, bytes);
  }

  /** Cuts the part of the window behind the mark; the window starts at byte `start` of the file. */
  *#cut(splitter: Splitter, tail: Tail, bytes: Buffer, start: number, outlook: Outlook): Generator<Piece> {
    const from = tail.mark.position - start;
    const state = { ...tail.mark.state };
    const move = (consumed: number): void => {
      tail.mark = { position: start + consumed, guard: guardBefore(bytes, consumed), state: { ...state } };
    };
    if (tail.format === 'utf-16le' || tail.format === 'utf-16be') {
      const mixed = new MixedText(bytes.subarray(from), tail.format, outlook === 'end');
      for (const piece of cutPieces(splitter, mixed.text, 0, outlook, state)) {
        const { starts } = piece;
        for (let i = 0; i < starts.length; i++) starts[i] = from + mixed.rawAt(starts[i] as number);
        const consumed = from + mixed.rawAt(piece.consumed);
        move(consumed);
        yield { ...piece, consumed };
      }
      // Half a character at the end for ever is no record.
      if (outlook === 'end' && mixed.text.length === 0) move(bytes.length);
      return;
    }
    const lineEnd = tail.format === 'cr' ? CR : tail.format === 'nul' ? NUL : null;
    const text = lineEnd === null ? bytes : withLineFeeds(bytes, lineEnd);
    const complete = outlook === 'end' ? bytes.length - incompleteTail(bytes.subarray(from)) : bytes.length;
    for (const piece of cutPieces(
      splitter,
      text.subarray(0, complete > from ? complete : bytes.length),
      from,
      outlook,
      state,
      this.#texts ?? 'made',
    )) {
      move(piece.consumed);
      yield piece;
    }
  }

  async *#readCompressed(tail: Tail, handle: FileHandle, splitter: Splitter): TailRead {
    const stat = await handle.stat({ bigint: true });
    const version = `${stat.size}:${stat.mtimeNs}`;
    if (tail.unpacked === version) return 'end';
    const { mark } = tail;
    const records = new RecordStream(splitter, mark.state, this.#texts ?? 'bytes');
    let skip = mark.position;
    try {
      for await (const chunk of textChunks(fileChunks(handle), tail.path, { binary: splitter.isRaw === true })) {
        const skipped = Math.min(skip, chunk.length);
        if (skipped > 0) {
          records.skip(chunk.subarray(0, skipped));
          skip -= skipped;
          if (skip > 0) continue;
          if (!records.guard.equals(mark.guard)) return 'rewritten';
        }
        yield* this.#moving(tail, records, chunk.subarray(skipped), 'more');
      }
      if (skip > 0) return 'rewritten';
      yield* this.#moving(tail, records, NOTHING, 'end');
      tail.unpacked = version;
      return 'end';
    } catch (error) {
      // It is read on when its disk is back.
      if (!isAway(error)) tail.unpacked = version;
      throw isDamaged(error) ? damagedProblem(tail.path, error) : error;
    }
  }

  *#moving(tail: Tail, records: RecordStream, chunk: Buffer, outlook: Outlook): Generator<Piece> {
    for (const { piece, position, guard, state } of records.push(chunk, outlook)) {
      tail.mark = { position, guard, state };
      yield piece;
    }
  }
}

/** Finds out how a file is to be read, and moves past a byte order mark. Too few bytes decide nothing. */
function identify(tail: Tail, bytes: Buffer): void {
  if (bytes.length === 0 || (isTooShort(bytes) && !tail.flush && !bytes.includes(10))) return;
  const found = probe(bytes);
  if (found.kind === 'binary' || found.kind === 'archive') throw noTextProblem(tail.path, found);
  if (found.kind === 'compressed') {
    tail.format = found.format;
    return;
  }
  tail.format = formatOf(found);
  if (found.bom > 0) tail.mark = { position: found.bom, guard: guardBefore(bytes, found.bom), state: tail.mark.state };
}

/** A file with one line, whose end may be half of one: it is decided when nothing has followed for a while. */
function identifyLine(tail: Tail, bytes: Buffer): void {
  const lineEnd = onlyLineEnd(bytes);
  if (lineEnd !== null && tail.flush) tail.format = formatOf({ encoding: 'utf-8', lineEnd });
}

/** A file that may be text or anything else, which is read as it is. */
function identifyRaw(tail: Tail, bytes: Buffer): void {
  const found = probe(bytes);
  const isRaw = found.kind === 'binary' || found.kind === 'archive' || (found.kind === 'text' && found.lineEnd !== undefined);
  if (bytes.length > 0 && isRaw) tail.format = 'utf-8';
  else identify(tail, bytes);
}

/** A file is read in a given encoding, unless it is compressed. */
function identifyAs(tail: Tail, bytes: Buffer, encoding: TextEncoding): void {
  if (isTooShort(bytes) && !tail.flush && !bytes.includes(10)) return;
  const found = probe(bytes);
  tail.format = found.kind === 'compressed' ? found.format : encoding;
  const bom = found.kind === 'compressed' ? 0 : markLength(bytes, encoding);
  if (bom > 0) tail.mark = { position: bom, guard: guardBefore(bytes, bom), state: tail.mark.state };
}

/** Bytes are read as they are, whatever a text would begin with. */
function identifyBinary(tail: Tail, bytes: Buffer): void {
  const found = probe(bytes);
  if (found.kind === 'compressed') {
    throw new InputError(
      'file.binary',
      `${tail.path} is packed (${found.format}). Streams of messages are not unpacked here: unpack it first.`,
    );
  }
  if (bytes.length > 0) tail.format = 'utf-8';
}

/**
 * Reads at a position until the buffer is full or the file ends; returns the number of bytes. A file can be emptied and written anew between two reads: what
 * comes behind the end that it had is left for the next time then.
 */
async function fill(handle: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, position + length);
    if (bytesRead === 0) break;
    if (length > 0 && !(await isUnchanged(handle, buffer, length, position))) break;
    length += bytesRead;
  }
  return length;
}

/** Whether the bytes before `length`, which were read at `position` and behind it, still stand there. */
async function isUnchanged(handle: FileHandle, buffer: Buffer, length: number, position: number): Promise<boolean> {
  const before = guardBefore(buffer, length);
  const again = Buffer.alloc(before.length);
  const { bytesRead } = await handle.read(again, 0, again.length, position + length - before.length);
  return bytesRead === again.length && again.equals(before);
}
