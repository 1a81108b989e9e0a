import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { FileCheckpoint } from '../checkpoint.ts';
import type { InputNotice } from '../types.ts';
import { isAway, isServerAway } from '../../base/errors.ts';
import { copiedFrom, copyOfLive, isComplete, packedOriginal } from './copies.ts';
import { probe, PROBE_BYTES } from '../probe.ts';
import { nowNs } from '../../message/timestamp.ts';
import { bytesBefore, isAt } from './identity.ts';
import { Losses } from './losses.ts';
import { KnownFiles, locate, MIN_COPY_BYTES, type Located, type Start } from './known-files.ts';
import { isNamed, type OpenFiles } from './open-files.ts';
import type { Place, StartAt } from './options.ts';
import {
  findByKey,
  isNewer,
  isPackedName,
  isRotatedName,
  rotatedBefore,
  rotatedBetween,
  sameFamily,
  wasPacked,
  type Sibling,
} from './rotation.ts';
import type { TailQueue } from './tail-queue.ts';
import { BEGINNING, fileKey, formatOf, Tail } from './tail.ts';

/** Times of files are those of the system's last tick, and so up to this much before the clock. */
const TICK_NS = 10_000_000n;
/** Programs that pack a file may give its time to the second. */
const PACKED_NS = 1_000_000_000n;

/**
 * Determines which file continues which: after renaming, copying, packing and replacing, in this run and since the last one. So that no
 * record is lost and none is read twice, it finds the position to start at in a file, and the files that have to be read before it.
 */
export class Lineage {
  readonly known: KnownFiles;
  readonly losses: Losses;
  readonly #tails: Map<string, Tail>;
  readonly #queue: TailQueue;
  readonly #files: OpenFiles;
  readonly #startAt: StartAt;
  readonly #notice: (notice: InputNotice) => void;
  /** Files of which nothing was read when the last run ended, and since when. */
  readonly #emptied = new Map<Tail, bigint>();

  constructor(
    known: readonly FileCheckpoint[],
    tails: Map<string, Tail>,
    queue: TailQueue,
    files: OpenFiles,
    startAt: StartAt,
    notice: (notice: InputNotice) => void,
  ) {
    this.known = new KnownFiles(known);
    this.losses = new Losses(notice);
    this.#tails = tails;
    this.#queue = queue;
    this.#files = files;
    this.#startAt = startAt;
    this.#notice = notice;
  }

  /** Finds the position to start at in a fresh file; false: it is not known yet. Throws errors of `open`. */
  async settle(tail: Tail): Promise<boolean> {
    if (tail.isGenerated) tail.fresh = null;
    if (tail.fresh === null) return true;
    const handle = await this.#files.get(tail);
    const family = isRotatedName(tail.path) ? [...this.#tails.values()].filter(({ path }) => sameFamily(path, tail.path)) : [];
    for (const other of family) if (other !== tail) await this.#files.revive(other);
    const original = await packedOriginal(tail, handle, this.#tails.values());
    if (original !== null) {
      this.#putBehind(tail, original);
      return false;
    }
    let start: Start | 'wait' | 'original-first' | null = await this.known.match(tail, handle);
    if (start === null && tail.fresh === 'later') {
      start = (await this.#afterReplacement(tail)) ?? (await copyOfLive(tail, handle, this.#tails.values()));
    }
    if (start === null && tail.fresh === 'first' && this.known.isFirstRun) start = await this.#firstStart(tail, handle);
    if (start === 'original-first') return false;
    if (start === 'wait') {
      if (!isComplete(tail)) return false;
      start = null;
    }
    const wasThere = tail.fresh === 'first';
    tail.fresh = null;
    if (start === null) return true;
    tail.startAt(start.mark, start.format, start.head);
    if (start.mark.position > 0 || start.modified === undefined) return true;
    // At the start, files that were rotated away earlier come first.
    if (wasThere) this.#emptied.set(tail, start.modified);
    else await this.emptied(tail, start.modified);
    return tail.after === null;
  }

  /** The place at which a file of a first run starts; null: its beginning. */
  async #firstStart({ path, size }: Tail, handle: FileHandle): Promise<Start | null> {
    const place = typeof this.#startAt === 'function' ? this.#startAt(path) : this.#startAt;
    return place === 'beginning' ? null : startIn(handle, place === 'end' ? { position: size } : place);
  }

  /** Lets a packed file be looked at when the one that it was made of is read. What was to come behind the packed one comes behind that. */
  #putBehind(packed: Tail, original: Tail): void {
    const { after } = packed;
    packed.after = null;
    packed.awaited = false;
    for (const other of this.#tails.values()) {
      if (other.after !== packed) continue;
      other.after = null;
      if (other !== original) other.waitFor(original);
      else if (after !== null) other.waitFor(after);
    }
    packed.waitFor(original);
    this.#queue.add(packed);
  }

  /**
   * A file of which nothing was read has changed since a time (nanoseconds): it may have been filled, copied and emptied unseen. So the
   * files that were rotated away after that time are read before it.
   */
  async emptied(tail: Tail, since: bigint): Promise<void> {
    if (isRotatedName(tail.path)) return;
    const last = await this.#addNewer(tail.path, since, tail.after, tail);
    if (last) tail.waitFor(last);
  }

  /**
   * Whether the first records that were read of a file follow those that were read before it. If not, it was rotated by copying between the last look
   * at it and the read: it waits for the copies, and is to be read again. So it is when it has other contents by now than those that have its number.
   */
  async begins(tail: Tail): Promise<boolean> {
    if (tail.isBegun) return true;
    if (tail.isCompressed || tail.retiredAt > 0) {
      // It may get a name again while its first records are delivered.
      tail.isBegun = true;
      return true;
    }
    const handle = await this.#files.get(tail);
    const now = await handle.stat({ bigint: true }).catch(() => null);
    if (now !== null) {
      const isSame = Number(now.size) === tail.size && now.mtimeNs === tail.modifiedNs;
      // Within a tick of the clock it may have got as many bytes again.
      const isOld = tail.generation === 0 || nowNs() - now.mtimeNs > TICK_NS;
      if (!isSame || !isOld) await this.emptied(tail, tail.settledNs);
    }
    tail.isBegun = tail.after === null && (tail.head === null || (await isAt(tail.head, handle)));
    return tail.isBegun;
  }

  /** At the start: finds the contents of files that were renamed, copied or packed since the last run. `current`: the file of that name now. */
  async recover(current: (path: string) => Tail | null): Promise<void> {
    for (const { entry, found } of await this.#located()) {
      const successor = current(entry.path) ?? current(entry.log);
      await unlessAway(found === null ? this.#goOnBehind(entry, successor) : this.#goOnIn(found, entry, successor));
    }
    this.known.settle((entry) => this.#isWaiting(entry));
    for (const [tail, since] of this.#emptied) await unlessAway(this.emptied(tail, since));
    this.#emptied.clear();
  }

  /** The known files that are to be looked for, with what is found of them: the oldest first, and at the end those that are not found. */
  async #located(): Promise<{ entry: FileCheckpoint; found: Located | null }[]> {
    const sought: { entry: FileCheckpoint; found: Located | null }[] = [];
    for (const entry of this.known.entries) {
      if (entry.gone || this.#isWaiting(entry)) continue;
      sought.push({ entry, found: await unlessAway(locate(entry, (key) => this.#tails.has(key))) });
    }
    return sought.sort((a, b) => {
      if (a.found === null || b.found === null) return Number(a.found === null) - Number(b.found === null);
      return isNewer(a.found.at, b.found.at) ? 1 : -1;
    });
  }

  /** The contents of a known file are found: they are read on there, and then what was rotated away after them. */
  async #goOnIn(found: Located, entry: FileCheckpoint, successor: Tail | null): Promise<void> {
    const added = this.#tails.get(found.at.key);
    // One that was added for an older one is in its turn already.
    if (added !== undefined) return this.#begin(added, found, entry);
    const rest = await this.#addPassing(found.at, successor?.after ?? null, entry.log);
    this.#begin(rest, found, entry);
    const last = await this.#addBetween(entry.log, found.at, rest, successor);
    successor?.waitFor(last);
  }

  /** Starts a fresh file where the contents of a known file go on in it. */
  #begin(tail: Tail, found: Located, entry: FileCheckpoint): void {
    if (tail.fresh === null) return;
    this.known.remove(entry);
    tail.fresh = null;
    tail.startAt(found.mark, found.format, found.head);
  }

  /** The contents of a known file are gone: what was rotated away after them is read. */
  async #goOnBehind(entry: FileCheckpoint, successor: Tail | null): Promise<void> {
    const last = await this.#addNewer(entry.log, BigInt(entry.modified), successor?.after ?? null, successor);
    if (last) successor?.waitFor(last);
    if (successor === null || entry.offset === 0) return;
    const text = `${entry.path} was replaced or emptied while it was not watched, and what it held before is not found: records may be missing. It is read from its beginning.`;
    this.#notice({ level: 'warning', code: 'file.data-missing', text });
  }

  /** Its file is there and is to be read, from where that is yet to be found out. */
  #isWaiting({ device, inode }: FileCheckpoint): boolean {
    return (this.#tails.get(`${device}:${inode}`)?.fresh ?? null) !== null;
  }

  /**
   * Handles a file that lost its name to `current`. Returns the file that has to be read before that: the old one, or one that was rotated away
   * between the two.
   */
  async replaced(path: string, old: Tail, current: Tail): Promise<Tail> {
    const moved = await findByKey(old.realPath, old.key);
    old.unlinked = moved === null;
    if (moved !== null) return await this.#addBetween(path, moved, old, current);
    const last = await this.#addNewer(path, old.settledNs, old, current);
    // Its place was not seen, so nobody knows what was there between it and the oldest that is left.
    if (last !== null && last !== old) this.losses.unseen(path);
    return last ?? old;
  }

  /**
   * Handles a file with other contents than were read from it, of which there is a copy where the earlier ones go on: it starts again. Returns the last one of the
   * files that have to be read before the new contents; null: there is no copy.
   */
  async moved(tail: Tail): Promise<Tail | null> {
    if (tail.mark.position === 0 || tail.isCompressed) return null;
    const found = await this.#copyOf(tail);
    if (found === null) return null;
    const rest = await this.#passOn(tail, found, null);
    return await this.#addBetween(tail.path, found.at, rest, tail);
  }

  #copyOf(tail: Tail): Promise<Located | null> {
    return locate(tail.checkpoint(tail.mark, true), (key) => this.#tails.has(key) && this.#tails.get(key)?.fresh === null);
  }

  /** Has what a file held read on in a copy of it, behind `after`. Returns the copy. */
  async #passOn(tail: Tail, { at, format }: Located, after: Tail | null): Promise<Tail> {
    const rest = this.#tails.get(at.key) ?? (await this.#addPassing(at, after, tail.name));
    rest.takeOver(tail);
    rest.format = format;
    tail.restart();
    this.#queue.add(rest);
    return rest;
  }

  /** Handles a file with other contents than were read from it, of which there is no copy: it starts again. @param lost bytes that were not read */
  lost(tail: Tail, lost: number): void {
    this.known.add(tail.checkpoint(tail.mark, true));
    tail.restart();
    // One that waits for it may hold what it held.
    const isPacked = [...this.#tails.values()].some(({ after, fresh }) => after === tail && fresh !== null);
    if (!isPacked) this.losses.emptied(tail.path, lost);
  }

  /** Leaves a file that is gone: if it was read in part, it goes on in a copy that is in its folder. Throws when the disk is away. */
  async leave(tail: Tail): Promise<void> {
    const found = tail.fresh === null ? await this.#copyOf(tail) : null;
    if (found !== null) {
      const rest = await this.#passOn(tail, found, tail.after);
      tail.size = 0;
      for (const other of this.#tails.values()) if (other.after === tail) other.waitFor(rest);
    }
    await this.forget(tail);
  }

  /** Whether a file is none of those that are read. One whose number it has got is left. */
  async isNew(stat: BigIntStats): Promise<boolean> {
    const tail = this.#tails.get(fileKey(stat));
    if (tail === undefined) return true;
    if (!tail.isReplacedBy(stat)) return false;
    await this.leave(tail);
    return true;
  }

  /** Leaves a file, remembering how far it was read in case a copy of it appears. What was not read of it is read of what it was packed to, or lost. */
  async forget(tail: Tail): Promise<void> {
    const unread = this.#unreadOf(tail);
    const isUnseen = unread > 0 && tail.isUnseen;
    const isPacked = isUnseen && (await wasPacked(tail));
    const newer = isUnseen ? await this.#newer(tail.name, tail.modifiedNs - PACKED_NS, null) : [];
    await this.#files.close(tail);
    this.#tails.delete(tail.key);
    this.#queue.delete(tail);
    tail.atEnd = true;
    tail.clearRest();
    if (tail.fresh === null) this.known.add(tail.checkpoint(tail.mark, true));
    const packed = newer.filter(({ path }) => isPackedName(path));
    const last = await this.#addInTurn(tail.name, packed, tail.after, null);
    if (last === tail.after) return isPacked ? undefined : this.losses.removed(tail.path, unread);
    for (const other of this.#tails.values()) if (other.after === tail && last !== null) other.waitFor(last);
  }

  /** Tells which files cannot be read on in another run: they have no name any more. */
  async tellLeft(): Promise<void> {
    for (const tail of this.#tails.values()) {
      if (await isNamed(tail)) continue;
      const isCounted = tail.fresh === null && !tail.isCompressed;
      this.losses.left(tail.path, isCounted ? tail.size - tail.acknowledged.position : this.#unreadOf(tail));
    }
  }

  /** Bytes of a file that are yet to be read. */
  #unreadOf(tail: Tail): number {
    if (tail.fresh === null || tail.unread === 0) return tail.unread;
    if (tail.fresh === 'first' && this.#startAt !== 'beginning' && this.known.isFirstRun) return 0;
    return Math.max(0, tail.size - this.known.readUpTo(tail));
  }

  /**
   * A new file of the same name with the same contents, as editors write them, or when a mount is back with other numbers, goes on where the
   * old one stood. `wait`: that is still being read.
   */
  async #afterReplacement(tail: Tail): Promise<Start | 'wait' | null> {
    for (const old of this.#tails.values()) {
      if (old === tail || old.path !== tail.path || old.mark.position < MIN_COPY_BYTES || old.isCompressed) continue;
      if (!old.unlinked && old.retiredAt === 0) continue;
      const before = await bytesBefore(await this.#files.get(tail), old.mark.position);
      if (before?.equals(old.mark.guard) !== true) continue;
      if (old.unlinked || (await findByKey(old.realPath, old.key)) === null)
        return old.drained ? { mark: old.mark, format: old.format } : 'wait';
    }
    return null;
  }

  /** Files of a log that were rotated away between two. Returns the last one of them. @param current the file that comes after them; null: none */
  async #addBetween(path: string, old: Sibling, oldTail: Tail, current: Tail | null): Promise<Tail> {
    const between = await rotatedBetween(path, old, current?.key ?? null);
    return (await this.#addInTurn(path, between, oldTail, current)) ?? oldTail;
  }

  /** Files of a log that were rotated away after a time, to be read after `first` and before `current`. Returns the last one of them. */
  async #addNewer(path: string, since: bigint, first: Tail | null, current: Tail | null): Promise<Tail | null> {
    return this.#addInTurn(path, await this.#newer(path, since, current), first, current);
  }

  /** Files of a log that were rotated away after a time and before `current`, the oldest first. */
  async #newer(path: string, since: bigint, current: Tail | null): Promise<readonly Sibling[]> {
    const before = (await rotatedBefore(path, current?.key ?? null)).reverse();
    return before.filter(({ path: name, stat }) => stat.mtimeNs > since - TICK_NS && isRotatedName(name));
  }

  /** Adds files to be read one after the other behind `first` and before `current`. Returns the last one of them, or `first`. */
  async #addInTurn(path: string, files: readonly Sibling[], first: Tail | null, current: Tail | null): Promise<Tail | null> {
    let last = first;
    for (const file of files) {
      if (!(await this.isNew(file.stat))) continue;
      const copied = current === null ? 'nothing' : await this.#copied(current, file);
      if (copied === 'again') continue;
      last = await this.#addPassing(file, last, path);
      if (copied !== 'moved' || current === null) continue;
      last.takeOver(current);
      current.restart();
    }
    return last;
  }

  /** Whether a file is a copy of the one that is being read, see `copiedFrom`. */
  async #copied(current: Tail, file: Sibling): Promise<'nothing' | 'again' | 'moved'> {
    if (current.fresh !== null || current.isCompressed) return 'nothing';
    const handle = await this.#files.get(current).catch((error: unknown) => {
      if (isServerAway(error)) throw error;
      return null;
    });
    return handle === null ? 'nothing' : copiedFrom(handle, { mark: current.isBegun ? current.mark : BEGINNING, head: current.head }, file);
  }

  /** A file that is read to its end and then left. */
  async #addPassing(file: Sibling, after: Tail | null, name: string): Promise<Tail> {
    const tail = new Tail(file.path, file.path, file.stat, name);
    tail.fresh = 'later';
    tail.retiredAt = performance.now();
    if (after) tail.waitFor(after);
    this.#tails.set(tail.key, tail);
    this.#queue.add(tail);
    await this.#files.hold(tail);
    return tail;
  }
}

/** null: the disk is away. */
const unlessAway = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (!isAway(error)) throw error;
    return null;
  });

/** A place in a file, such as its end for new records only; null for a file that cannot be read on from there. A line that is not finished yet is left out. */
async function startIn(handle: FileHandle, { position, kind }: Place): Promise<Start | null> {
  const head = Buffer.alloc(PROBE_BYTES);
  const { bytesRead } = await handle.read(head, 0, PROBE_BYTES, 0);
  const found = probe(head.subarray(0, bytesRead));
  const guard = await bytesBefore(handle, position);
  if (found.kind !== 'text' || guard === null || position === 0) return null;
  const { encoding, lineEnd } = found;
  const atLineStart = encoding === 'utf-8' ? guard.at(-1) === (lineEnd ?? 10) : guard.at(-1) === 0 || guard.at(-2) === 0;
  return { mark: { position, guard, state: { line: 0, skipping: !atLineStart, midLine: false, kind } }, format: formatOf(found) };
}
