import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { nowNs } from '../../message/timestamp.ts';
import type { FileCheckpoint } from '../checkpoint.ts';
import { GUARD_BYTES, positionHash, type HashedPosition } from '../position-hash.ts';
import { isCompression, type Compression, type LineEnd, type TextEncoding } from '../probe.ts';
import { initialState, type CutState } from '../splitter.ts';
import type { TailRead } from './tail-reader.ts';

/** The format of a file's bytes: `unknown` until its first bytes are seen, `cr` and `nul` for UTF-8 whose lines end with these bytes alone. */
export type FileFormat = 'unknown' | TextEncoding | 'cr' | 'nul' | Compression;

/** The format of a text, by its first bytes. */
export const formatOf = ({ encoding, lineEnd }: { readonly encoding: TextEncoding; readonly lineEnd?: LineEnd }): FileFormat =>
  lineEnd === undefined ? encoding : lineEnd === 0 ? 'nul' : 'cr';

const [LF, CR, NUL] = [10, 13, 0];

/** Formats in which the rest of a line can be read by itself. */
const REST_FORMATS: ReadonlySet<FileFormat> = new Set(['utf-8', 'cr', 'nul']);

/** A place between two records of a file. Positions count the bytes of the file, of a compressed one those of its text as UTF-8. */
export interface Mark {
  readonly position: number;
  /** The bytes before the position, at most `GUARD_BYTES`: when they have changed, the file was written anew. */
  readonly guard: Buffer;
  readonly state: Readonly<CutState>;
}

export const BEGINNING: Mark = { position: 0, guard: Buffer.alloc(0), state: initialState() };

/** A copy of the bytes before `at`, for a mark. */
export function guardBefore(bytes: Buffer, at: number): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, at - GUARD_BYTES), at));
}

/** The mark behind `count` of the bytes between two marks. */
export function markWithin(before: Mark, between: Buffer, count: number, behind: Mark): Mark {
  const position = behind.position - between.length + count;
  const guard = Buffer.concat([before.guard, between.subarray(0, count)]);
  return { position, guard: guardBefore(guard, guard.length), state: behind.state };
}

/** The text that a file has between two times that it is emptied or written anew. When the text has moved to a copy, acknowledgements move the copy. */
export interface Contents {
  /** The file that has the text now; null: none has it any more. */
  holder: Tail | null;
  /** Batches that are delivered and not acknowledged. */
  outstanding: number;
}

/** A clock that goes back by less was corrected, not set. */
const SET_BACK_NS = 1_000_000_000n;

/** One file that is read, whatever its name is now: device and inode tell files apart. */
export class Tail {
  readonly key: string;
  readonly device: bigint;
  readonly inode: bigint;
  /** The name that its records are shown under: the first one it was found by. */
  readonly name: string;
  /** The name it was last seen under, and that name with symbolic links resolved. */
  path: string;
  realPath: string;
  format: FileFormat = 'unknown';
  /** Position up to which it is read. */
  mark: Mark = BEGINNING;
  /** Position up to which all of it was acknowledged downstream. */
  acknowledged: Mark = BEGINNING;
  #contents: Contents = { holder: this, outstanding: 0 };
  /** Counts how often the file was written anew. */
  generation = 0;
  /** It has yet to be found out whether it is the copy or the continuation of a known file; it was there at the start, or came later. */
  fresh: 'first' | 'later' | null = null;
  /** As it was when last looked at. */
  size = 0;
  modifiedNs = 0n;
  readonly #foundNs = nowNs();
  readonly #bornNs: bigint;
  #head: HashedPosition | null = null;
  /** Time at which it was last seen to have changed (milliseconds of performance.now). */
  changedAt = performance.now();
  readonly #foundAt = this.changedAt;
  handle: FileHandle | null = null;
  /** Bytes behind the mark that have no record end yet, since when (milliseconds of performance.now), and a copy of them unless they are many. */
  restLength = 0;
  restSince = 0;
  rest: Buffer | null = null;
  /** The rest ends within a line. */
  isTorn = false;
  /** The rest is to be delivered as it is. */
  flush = false;
  /** All there is was read. */
  atEnd = false;
  /** No name of the input leads to it any more, since (milliseconds of performance.now, 0: not so): it is read to its end and left. */
  retiredAt = 0;
  /** Records of this file come after those of that one. */
  after: Tail | null = null;
  /** Whether its next bytes are known to be the next records: no rotation since the last look has put other records in front of them. */
  isBegun = false;
  /** Another file waits for the end of this one. */
  awaited = false;
  /** Not to be read before this time (milliseconds of performance.now). */
  notBefore = 0;
  /** It is no text, as was found at this time (milliseconds of performance.now; 0: not so): not read, as long as it does not change much. */
  refusedAt = 0;
  /** Codes of the notices that were given about it. */
  readonly told = new Set<string>();
  /** Size and change time of a compressed file whose end was reached, or that is damaged. */
  unpacked = '';
  /** Since when it cannot be read, though it is likely to be there (milliseconds of performance.now; 0: not so). */
  failingSince = 0;
  /** A read of a compressed file that is under way. */
  reading: TailRead | null = null;
  /** It has its turn of reading. */
  isRead = false;
  /** Bytes that it had held and that were not read when it was seen to be emptied or written anew; null: it was not, since it began. */
  cut: number | null = null;
  /** It is written anew at each read: it is read once, and no checkpoint is kept. */
  isGenerated = false;
  /** No name leads to it any more, as far as could be seen. */
  unlinked = false;

  /** `name`: see there; `path` by default. */
  constructor(path: string, realPath: string, stat: BigIntStats, name = path) {
    this.path = path;
    this.name = name;
    this.realPath = realPath;
    this.device = stat.dev;
    this.inode = stat.ino;
    this.#bornNs = stat.birthtimeNs;
    this.key = fileKey(stat);
    this.see(stat);
  }

  /** The text that the file has now. */
  get contents(): Contents {
    return this.#contents;
  }

  /** Batches that are delivered and not acknowledged. */
  get outstanding(): number {
    return this.#contents.outstanding;
  }

  /** Takes over the new state of the file; returns whether it has changed. */
  see(stat: BigIntStats): boolean {
    const size = Number(stat.size);
    if (size === this.size && stat.mtimeNs === this.modifiedNs) return false;
    this.size = size;
    this.modifiedNs = stat.mtimeNs;
    this.changedAt = performance.now();
    this.mayGoOn();
    return true;
  }

  /** It may hold more than was read: files that come after it wait until that is read. A packed one is read as a whole. */
  mayGoOn(): void {
    if (!this.isCompressed && this.refusedAt === 0) this.atEnd = false;
  }

  /** Whether the open file holds more by now than was read of it, seen or not. */
  async hasMore(): Promise<boolean> {
    if (this.isCompressed) return false;
    const info = await this.handle?.stat().catch(() => undefined);
    return info !== undefined && info.size > this.mark.position + this.restLength;
  }

  /** Whether its number belongs to a newer file now: it was removed before it was opened. */
  isReplacedBy(stat: BigIntStats): boolean {
    return this.handle === null && this.isOlderThan(stat);
  }

  /** Whether a file of its number was made later. */
  isOlderThan({ birthtimeNs }: BigIntStats): boolean {
    return birthtimeNs > this.#bornNs;
  }

  /** Bytes that were not read yet, as far as is known. */
  get unread(): number {
    if (this.refusedAt > 0) return 0;
    if (this.isCompressed) return this.atEnd ? 0 : this.size;
    return Math.max(0, this.size - this.mark.position);
  }

  /** Whether its turn comes after that of another file. */
  comesAfter(other: Tail): boolean {
    for (let before = this.after; before !== null; before = before.after) if (before === other) return true;
    return false;
  }

  /**
   * Time at which it was last changed, or found if that was later (nanoseconds). If the system's clock was set back since, on the clock as it is now:
   * the files that are compared with this have the times of that.
   */
  get settledNs(): bigint {
    const settled = this.modifiedNs > this.#foundNs ? this.modifiedNs : this.#foundNs;
    if (wallNsOf(this.#foundAt) > this.#foundNs - SET_BACK_NS) return settled;
    const changed = wallNsOf(this.changedAt);
    return changed < settled ? changed : settled;
  }

  /** It was found so many milliseconds ago. */
  isKnownFor(ms: number): boolean {
    return performance.now() - this.#foundAt >= ms;
  }

  /** Nothing has changed for so many milliseconds. */
  isQuiet(ms: number): boolean {
    return performance.now() - this.changedAt >= ms;
  }

  /** Delivers nothing before `other` is read to its end, unless that one waits for this one: two names may have changed places more than once. */
  waitFor(other: Tail): void {
    if (other === this || other.comesAfter(this)) return;
    this.after = other;
    other.awaited = true;
  }

  /** Whether everything was read that is to be read before the files after this one. */
  get drained(): boolean {
    return this.atEnd && this.restLength === 0;
  }

  get isCompressed(): boolean {
    return isCompression(this.format);
  }

  /** Stands at a mark whose records need not be acknowledged. */
  startAt(mark: Mark, format: FileFormat, head: HashedPosition | null = null): void {
    this.#head = head;
    this.mark = mark;
    this.acknowledged = mark;
    this.format = format;
    this.isBegun = mark.position > 0;
  }

  /** Holds what another file held before that was written anew, and is read on where that stood. */
  takeOver(other: Tail): void {
    this.fresh = null;
    if (other.isBegun) this.startAt(other.mark, other.format, other.#head);
    else this.startAt(other.acknowledged, 'unknown', other.#head);
    this.acknowledged = other.acknowledged;
    this.#contents = other.#contents;
    this.#contents.holder = this;
  }

  /** Whether the contents have no number yet, though it is known what they are. */
  get isNumberless(): boolean {
    return this.fresh === null && !this.isGenerated && this.mark.state.contents === undefined;
  }

  /** Whether nothing was read of it, in this run as far as is known. */
  get isUnseen(): boolean {
    return this.fresh !== null || (this.mark.position === 0 && this.#head === null);
  }

  /** See `FileCheckpoint.head`; null: it is not known. */
  get head(): HashedPosition | null {
    return this.#head;
  }

  /** Gives the contents a number. @param head their first bytes */
  identify(head: Buffer): void {
    this.#head = head.length === 0 || this.mark.position > 0 ? null : { offset: head.length, hash: positionHash(head) };
    const contents = randomBytes(16).toString('hex');
    this.mark = { ...this.mark, state: { ...this.mark.state, contents } };
    this.acknowledged = { ...this.acknowledged, state: { ...this.acknowledged.state, contents } };
  }

  /** The file has other contents now: back to its beginning. */
  restart(): void {
    this.generation++;
    if (this.#contents.holder === this) this.#contents.holder = null;
    this.#contents = { holder: this, outstanding: 0 };
    this.startAt(BEGINNING, 'unknown');
    this.clearRest();
    this.unpacked = '';
    this.refusedAt = 0;
    this.atEnd = false;
    this.cut = null;
  }

  setRest(rest: Buffer): void {
    this.flush = false;
    if (rest.length === 0) return this.clearRest();
    if (rest.length !== this.restLength) this.restSince = performance.now();
    this.restLength = rest.length;
    this.isTorn = !endsLine(rest, this.format);
    this.rest = rest.length <= 65536 && REST_FORMATS.has(this.format) ? Buffer.from(rest) : null;
  }

  clearRest(): void {
    this.restLength = 0;
    this.rest = null;
    this.flush = false;
  }

  /** The checkpoint of a mark. */
  checkpoint(mark: Mark, gone: boolean): FileCheckpoint {
    return {
      path: this.path,
      log: this.name,
      device: String(this.device),
      inode: String(this.inode),
      offset: mark.position,
      hash: positionHash(mark.guard),
      ...mark.state,
      ...(mark.position === 0 && this.#head !== null ? { head: this.#head } : {}),
      format: this.format,
      modified: String(this.settledNs),
      gone,
    };
  }
}

/** The time of the system's clock, as it is set now, at a time of performance.now. */
function wallNsOf(at: number): bigint {
  return nowNs() - BigInt(Math.round((performance.now() - at) * 1e6));
}

/** Tells files apart as long as they exist. */
export function fileKey(stat: BigIntStats): string {
  return `${stat.dev}:${stat.ino}`;
}

/** Whether bytes end with the end of a line. */
function endsLine(bytes: Buffer, format: FileFormat): boolean {
  if (format === 'utf-16le') return bytes.at(-2) === LF && bytes.at(-1) === 0;
  return bytes.at(-1) === (format === 'cr' ? CR : format === 'nul' ? NUL : LF);
}
