import { checkBatch, WireError } from '../check.ts';
import type { MessageBatch } from './batch.ts';
import { decodeColumns, headBytes, placeOfNames, type PlacedBytes, type WantedColumns } from './wire-decode.ts';
import { alignUp, Head } from './wire-layout.ts';

/** Reads bytes of an encoded batch, from an offset on, until the target is full. */
export type ReadBytes = (offset: number, target: Uint8Array) => Promise<void>;

/** Gives memory for so many bytes at the beginning of a buffer, with whatever is in it. */
export type TakeMemory = (size: number) => Buffer<ArrayBuffer>;

/** Memory that nobody has used: filling it with zeros first would cost as much as a copy. */
export const newMemory: TakeMemory = (size) => Buffer.allocUnsafeSlow(size);

/** The head of an encoded batch with the names of its columns: by it some columns can be read without the others. */
export interface BatchHead {
  readonly words: Uint32Array;
  readonly names: string;
}

/** Bytes that are read at once: most heads are smaller. */
const FIRST_BYTES = 2048;
/** Unwanted bytes between wanted ones that are read along, because they cost less than another call. */
const MOST_BETWEEN = 32_768;
const EMPTY = new ArrayBuffer(0);

/** Reads the head of a batch. @param total bytes of the whole batch. @throws {WireError} */
export async function readHead(total: number, read: ReadBytes): Promise<BatchHead> {
  const first = new Uint8Array(Math.min(total, FIRST_BYTES));
  await read(0, first);
  const size = headBytes(first);
  if (size > total) throw new WireError('the head is longer than the bytes');
  const bytes = size <= first.length ? new Uint8Array(first.subarray(0, size)) : new Uint8Array(size);
  if (size > first.length) await read(0, bytes);
  const words = new Uint32Array(bytes.buffer);
  if (words[Head.total] !== total) throw new WireError('the head says another length');
  const place = placeOfNames(words);
  const names = Buffer.alloc(place.size);
  await read(place.offset, names);
  return { words, names: names.toString(place.encoding) };
}

/** Bytes of a batch that are read at once, and where they are put. */
interface Piece {
  readonly offset: number;
  end: number;
  readonly at: number;
}

/** The places of some columns in an encoded batch. */
export class ColumnPlan {
  /** Bytes that are read. */
  readonly size: number;
  readonly #head: BatchHead;
  readonly #wanted: WantedColumns;
  readonly #pieces: readonly Piece[];

  /** @throws {WireError} when the head is not consistent */
  constructor(head: BatchHead, wanted: WantedColumns) {
    this.#head = head;
    this.#wanted = wanted;
    const stretches: [offset: number, end: number][] = [];
    const note = (offset: number, size: number): number => {
      stretches.push([offset, offset + size]);
      return -1;
    };
    this.#decode({ buffer: EMPTY, place: note });
    this.#pieces = joined(stretches);
    const last = this.#pieces.at(-1);
    this.size = last === undefined ? 0 : last.at + last.end - last.offset;
  }

  /** Reads the columns. The batch has its timestamps and these alone. @throws {WireError} when they are not consistent */
  async read(read: ReadBytes, memory: TakeMemory = newMemory): Promise<MessageBatch> {
    const bytes = memory(this.size);
    await Promise.all(this.#pieces.map(({ offset, end, at }) => read(offset, bytes.subarray(at, at + end - offset))));
    const place = (wanted: number): number => {
      const piece = this.#pieces.findLast(({ offset }) => offset <= wanted) as Piece;
      return piece.at + wanted - piece.offset;
    };
    const batch = this.#decode({ buffer: bytes.buffer, place });
    checkBatch(batch);
    return batch;
  }

  #decode(bytes: PlacedBytes): MessageBatch {
    return decodeColumns(this.#head.words, bytes, { wanted: this.#wanted, names: this.#head.names });
  }
}

/** Stretches as pieces, each at a place in memory by which its arrays are aligned as in the batch. */
function joined(stretches: [offset: number, end: number][]): Piece[] {
  const pieces: Piece[] = [];
  let last: Piece | undefined;
  for (const [offset, end] of stretches.sort(([a], [b]) => a - b)) {
    if (last !== undefined && offset - last.end <= MOST_BETWEEN) last.end = Math.max(last.end, end);
    else {
      const at: number = last === undefined ? 0 : alignUp(last.at + last.end - last.offset);
      last = { offset: offset - (offset % 8), end, at };
      pieces.push(last);
    }
  }
  return pieces;
}
