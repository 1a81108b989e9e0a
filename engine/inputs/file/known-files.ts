import type { FileHandle } from 'node:fs/promises';
import { isAway } from '../../base/errors.ts';
import type { FileCheckpoint } from '../checkpoint.ts';
import { positionHash, type HashedPosition } from '../position-hash.ts';
import { isCompression, type Compression } from '../probe.ts';
import { bytesBefore, compressionOf, matchUnpacked, withFile } from './identity.ts';
import { familyOf, findByKey, isRotatedName, sameFamily, type Sibling } from './rotation.ts';
import type { FileFormat, Mark, Tail } from './tail.ts';

/** The position to start at in a file, and the file's format. */
export interface Start {
  readonly mark: Mark;
  readonly format: FileFormat;
  readonly head?: HashedPosition | null;
  /** `FileCheckpoint.modified` of the file that this was known from. */
  readonly modified?: bigint;
}

/** The file that now has the contents of a known file, and the position at which to go on there. */
export interface Located extends Start {
  readonly at: Sibling;
}

/** Fewer equal bytes do not make a file the copy of another: logs can begin alike. */
export const MIN_COPY_BYTES = 32;
const MAX_KNOWN = 256;

/** Files that were read before, in this run or an earlier one, and whose contents were not found again yet. */
export class KnownFiles {
  #entries: FileCheckpoint[];

  /** There was no checkpoint: nothing is known from earlier runs. */
  readonly isFirstRun: boolean;

  constructor(entries: readonly FileCheckpoint[]) {
    this.#entries = [...entries];
    this.isFirstRun = entries.length === 0;
  }

  get entries(): readonly FileCheckpoint[] {
    return this.#entries;
  }

  add(entry: FileCheckpoint): void {
    if (entry.offset > 0) this.#entries = [...this.#entries, entry].slice(-MAX_KNOWN);
  }

  /** How far a file was read that was there before, as far as its number tells. */
  readUpTo(tail: Tail): number {
    return Math.max(0, ...this.#entries.filter((entry) => isSameFile(entry, tail)).map(({ offset }) => offset));
  }

  remove(entry: FileCheckpoint): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }

  /**
   * Marks all entries as gone, after the search for files that were renamed or replaced since the last run. Those of which nothing was acknowledged are
   * dropped, unless their files have yet to be read: these keep their numbers.
   */
  settle(isWaiting: (entry: FileCheckpoint) => boolean): void {
    this.#entries = this.#entries.flatMap((entry) => {
      if (entry.offset > 0) return { ...entry, gone: true };
      return isWaiting(entry) ? entry : [];
    });
  }

  /**
   * Finds the known file that a file continues: the same file; or one that took its place with the same contents; or a copy of it, to go by its name.
   * The bytes before the position have to be the same in every case. The known file is then removed, and the position to go on from is returned.
   */
  async match(tail: Tail, handle: FileHandle): Promise<Start | null> {
    const same = this.#entries.filter((entry) => isSameFile(entry, tail));
    const replaced = await this.#replacedBy(tail);
    const copies = isRotatedName(tail.path) ? this.#entries.filter((entry) => isCopyName(entry, tail.path)) : [];
    for (const candidates of [same, replaced, copies]) {
      const found = candidates.length === 0 ? null : await findIn(handle, candidates);
      if (found === null) continue;
      this.remove(found.match);
      return startOf(found.match, found.guard, found.compression);
    }
    return null;
  }

  /** Entries of the same name whose own file is not there any more. */
  async #replacedBy(tail: Tail): Promise<FileCheckpoint[]> {
    const entries = this.#entries.filter((entry) => entry.path === tail.path && !isSameFile(entry, tail) && isDistinct(entry));
    const kept: FileCheckpoint[] = [];
    for (const entry of entries) if ((await findByKey(entry.path, keyOf(entry))) === null) kept.push(entry);
    return kept;
  }
}

/**
 * Looks for the contents of a known file in its folder: the file itself, under whatever name, or a rotated copy of it. `taken`: files that
 * are read already. Throws when the disk is away.
 */
export async function locate(entry: FileCheckpoint, taken: (key: string) => boolean): Promise<Located | null> {
  const moved = await findByKey(entry.path, keyOf(entry));
  // A file that was empty can only be recognised by its number.
  const family = entry.offset === 0 && entry.head === undefined ? [] : await familyOf(entry.path);
  const candidates = [...(moved ? [moved] : []), ...family];
  for (const at of candidates) {
    if (taken(at.key)) continue;
    const found = await withFile(at, (handle) => findIn(handle, [entry]));
    if (found) return { ...startOf(entry, found.guard, found.compression), at };
  }
  return null;
}

interface Found {
  readonly match: FileCheckpoint;
  readonly guard: Buffer;
  readonly compression: Compression | null;
}

/** The entry with the greatest offset whose hash is right in a file. */
async function findIn(handle: FileHandle, entries: readonly FileCheckpoint[]): Promise<Found | null> {
  const compression = await compressionOf(handle);
  const sought = entries.map((entry) => ({ ...(entry.head ?? { offset: entry.offset, hash: entry.hash }), entry }));
  if (compression !== null) {
    const readable = sought.filter(({ entry: { format } }) => format !== 'utf-16le' && format !== 'utf-16be');
    const found = await matchUnpacked(handle, readable).catch((error: unknown) => {
      if (isAway(error)) throw error;
      return null;
    });
    return found && foundAt(found.match.entry, found.guard, compression);
  }
  for (const { offset, hash, entry } of sought.toSorted((a, b) => b.offset - a.offset)) {
    if (isCompression(entry.format)) continue;
    const guard = await bytesBefore(handle, offset);
    if (guard !== null && positionHash(guard) === hash) return foundAt(entry, guard, compression);
  }
  return null;
}

const NOTHING = Buffer.alloc(0);

/** @param guard the bytes before the position that was looked for, which is the entry's own unless that is the beginning */
const foundAt = (match: FileCheckpoint, guard: Buffer, compression: Compression | null): Found => ({
  match,
  guard: match.offset === 0 ? NOTHING : guard,
  compression,
});

function startOf(entry: FileCheckpoint, guard: Buffer, compression: Compression | null): Start {
  const { offset, line, skipping, midLine, kind, contents, format } = entry;
  const mark = { position: offset, guard, state: { line, skipping, midLine, kind, contents } };
  return { mark, format: offset === 0 ? 'unknown' : (compression ?? format), head: entry.head ?? null, modified: BigInt(entry.modified) };
}

function keyOf(entry: FileCheckpoint): string {
  return `${entry.device}:${entry.inode}`;
}

function isSameFile(entry: FileCheckpoint, tail: Tail): boolean {
  return keyOf(entry) === tail.key;
}

/** Whether its contents can be recognised in another file. */
function isDistinct({ head, offset }: FileCheckpoint): boolean {
  return (head?.offset ?? offset) >= MIN_COPY_BYTES;
}

function isCopyName(entry: FileCheckpoint, path: string): boolean {
  return entry.path !== path && isDistinct(entry) && sameFamily(entry.path, path);
}
