import type { FileHandle } from 'node:fs/promises';
import { isServerAway } from '../../base/errors.ts';
import { leaveShare, shareOf } from './held-files.ts';
import { bytesBefore } from './identity.ts';
import { openByKey } from './rotation.ts';
import type { Tail } from './tail.ts';

/**
 * The open files of one input. A file is held open from when it is seen, so that it can be read to its end whatever becomes of its name. That is so for a
 * bounded number of files; those beyond it are opened when others are read to their ends. Files are never locked.
 */
export class OpenFiles {
  readonly #given: number | undefined;
  readonly #onFull: (most: number) => void;
  /** In the order of their last use. */
  readonly #open = new Set<Tail>();
  /** Seen, but not held open, in the order in which they were seen. */
  readonly #beyond = new Set<Tail>();
  #isFull = false;

  /**
   * @param most files that are open; undefined: a share of what the system allows, see `shareOf`
   * @param onFull called when a file is not held open for the first time
   */
  constructor(most?: number, onFull: (most: number) => void = () => undefined) {
    this.#given = most;
    this.#onFull = onFull;
  }

  /** The handle of a file, wherever it was renamed to in its folder. Throws ENOENT when it is not found, or another error of `open`. */
  async get(tail: Tail): Promise<FileHandle> {
    if (tail.handle === null) {
      if (!(await this.#makeRoom())) await this.#closeNamed();
      tail.handle = await openTail(tail);
      if (tail.handle === null) throw Object.assign(new Error(`${tail.path} is gone`), { code: 'ENOENT' });
      this.#beyond.delete(tail);
    }
    this.#open.delete(tail);
    this.#open.add(tail);
    return tail.handle;
  }

  /** Opens a file that was seen, if there is room. One that cannot be opened is left for when it is read. */
  async hold(tail: Tail): Promise<void> {
    if (tail.handle !== null || tail.isGenerated) return;
    // Those that were seen before come first.
    if (this.#beyond.size > 0 || !(await this.#makeRoom())) {
      this.#beyond.add(tail);
      if (!this.#isFull) this.#onFull(this.#most);
      this.#isFull = true;
      return;
    }
    await this.#hold(tail);
  }

  /** Opens files that had to wait, as far as there is room. */
  async holdMore(): Promise<void> {
    for (const tail of this.#beyond) {
      if (!(await this.#makeRoom())) return;
      await this.#hold(tail);
    }
  }

  async #hold(tail: Tail): Promise<void> {
    this.#beyond.delete(tail);
    if (tail.handle !== null || tail.isGenerated) return;
    tail.handle = await openTail(tail).catch(() => null);
    if (tail.handle !== null) this.#open.add(tail);
  }

  /** @param instead the same file, opened anew */
  async close(tail: Tail, instead: FileHandle | null = null): Promise<void> {
    const { handle, reading } = tail;
    tail.handle = instead;
    tail.reading = null;
    this.#open.delete(tail);
    this.#beyond.delete(tail);
    if (instead !== null) this.#open.add(tail);
    await reading?.return('more');
    await handle?.close();
  }

  /**
   * Opens a file anew: a handle on a mount that went away stays dead when the mount is back. The open one is kept as long as the disk is away, and for a file that
   * was removed, of which it is all that is left.
   */
  async renew(tail: Tail): Promise<void> {
    const handle = await openTail(tail).catch(() => undefined);
    if (handle === undefined || (handle === null && !(await isNamed(tail)))) return;
    await this.close(tail, handle);
  }

  /** Opens a file anew if its handle is dead: others are compared with it, though its own turn comes behind theirs. */
  async revive(tail: Tail): Promise<void> {
    if (tail.isRead) return;
    const error = await tail.handle?.stat().then(
      () => null,
      (reason: unknown) => reason,
    );
    if (isServerAway(error)) await this.renew(tail);
  }

  async closeAll(): Promise<void> {
    for (const tail of [...this.#open]) await this.close(tail);
    leaveShare(this);
  }

  get #most(): number {
    return this.#given ?? shareOf(this);
  }

  /** Closes the least recently used of the files that are read to their ends and can be opened again by their name. Returns whether there is room. */
  async #makeRoom(): Promise<boolean> {
    const most = this.#most;
    if (this.#open.size < most) return true;
    for (const tail of this.#open) {
      if (tail.atEnd && tail.retiredAt === 0 && tail.unread <= tail.restLength && isAtRest(tail)) await this.close(tail);
      if (this.#open.size < most) return true;
    }
    return false;
  }

  /** Closes one that waits to be read, the last one that was opened first, and that can be opened again: to read one at least, where nothing is at its end. */
  async #closeNamed(): Promise<void> {
    for (const tail of [...this.#open].reverse()) {
      if (!isAtRest(tail) || !(await isNamed(tail))) continue;
      await this.close(tail);
      this.#beyond.add(tail);
      return;
    }
  }
}

const isAtRest = (tail: Tail): boolean => tail.reading === null && !tail.isRead;

/** Whether a name leads to the open file of a tail. */
export async function isNamed({ handle }: Tail): Promise<boolean> {
  const info = await handle?.stat().catch(() => null);
  return info === null || info === undefined || info.nlink > 0;
}

async function openTail(tail: Tail): Promise<FileHandle | null> {
  const { path, realPath, key } = tail;
  const handle = (await openByKey(path, key)) ?? (path === realPath ? null : await openByKey(realPath, key));
  if (handle === null) return null;
  let isSame = false;
  try {
    isSame = !(await isNewer(tail, handle));
    return isSame ? handle : null;
  } finally {
    if (!isSame) await handle.close();
  }
}

/** Whether it is a newer file, which is read as such, and not a second time as the one that had its number before. One with a name of the input may have been written anew. */
async function isNewer(tail: Tail, handle: FileHandle): Promise<boolean> {
  if (!tail.isOlderThan(await handle.stat({ bigint: true }))) return false;
  if (tail.fresh !== null) return true;
  if (tail.retiredAt === 0) return false;
  if (tail.isCompressed || tail.mark.position === 0) return true;
  return (await bytesBefore(handle, tail.mark.position))?.equals(tail.mark.guard) !== true;
}
