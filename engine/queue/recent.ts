import type { MessagePath, QueueRecord } from './record.ts';
import { compareCursors, type Cursor } from './segments.ts';

/** Content of appended records. */
export interface Known {
  /** The message of each. */
  readonly messages: readonly Uint8Array[];
  readonly path: MessagePath;
  /** Something that they were made of, and the number of the first of them in it. */
  readonly of: unknown;
  readonly from: number;
}

/** Origin of appended records: `of`, from number `from` on. */
export type Origin = Pick<Known, 'of' | 'from'>;

/** Records that follow each other in one segment. */
export interface RecentRecords {
  readonly begin: Cursor;
  readonly cursor: Cursor;
  readonly bytes: number;
  readonly records: readonly QueueRecord[];
  readonly origin: Origin;
}

/** The records that `encoded` has from number `first` on, of which the last one ends at `cursor`. */
export function recentRecords(
  encoded: readonly Uint8Array[],
  { messages, path, of, from }: Known,
  first: number,
  cursor: Cursor,
): RecentRecords {
  let bytes = 0;
  const records = encoded.map((record, i) => ({ message: messages[first + i] as Uint8Array, ...path, end: (bytes += record.length) }));
  return { begin: { ...cursor, offset: cursor.offset - bytes }, cursor, bytes, records, origin: { of, from: from + first } };
}

/** Records that were appended to a queue last and are not read yet: a reader that keeps up gets them from here, and not from the disk. */
export class Recent {
  readonly #most: number;
  #pieces: RecentRecords[] = [];
  #bytes = 0;

  /** @param most bytes of records that are kept; what is appended beyond is only on the disk */
  constructor(most: number) {
    this.#most = most;
  }

  add(piece: RecentRecords): void {
    if (this.#bytes + piece.bytes > this.#most) return;
    this.#pieces.push(piece);
    this.#bytes += piece.bytes;
  }

  /** The records at a position; null: they are not here. What is before it is forgotten. */
  take(at: Cursor): RecentRecords | null {
    for (;;) {
      const [first] = this.#pieces;
      if (first === undefined || compareCursors(first.begin, at) > 0) return null;
      this.#pieces.shift();
      this.#bytes -= first.bytes;
      if (compareCursors(first.begin, at) === 0) return first;
    }
  }

  /** Offset of the first records of a segment that are here; null: none are. */
  beginIn(segment: number): number | null {
    const begin = this.#pieces[0]?.begin;
    return begin?.segment === segment ? begin.offset : null;
  }
}
