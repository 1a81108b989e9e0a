import type { FileHandle } from 'node:fs/promises';
import { openFile } from '../shared/open-file.ts';
import { fileKey, type Tail } from './tail.ts';
import { findByKey } from './rotation.ts';

/** The open files of one input: a bounded number, those that were used last. Files are never locked. */
export class OpenFiles {
  readonly #limit: number;
  /** In the order of their last use. */
  readonly #open = new Set<Tail>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The handle of a file, wherever it was renamed to in its folder. Throws ENOENT when it is not found, or another error of `open`. */
  async get(tail: Tail): Promise<FileHandle> {
    if (tail.handle === null) {
      await this.#makeRoom();
      tail.handle = (await this.#openSame(tail, tail.path)) ?? (await this.#openMoved(tail));
    }
    this.#open.delete(tail);
    this.#open.add(tail);
    return tail.handle;
  }

  async close(tail: Tail): Promise<void> {
    const { handle, reading } = tail;
    tail.handle = null;
    tail.reading = null;
    this.#open.delete(tail);
    await reading?.return('more');
    await handle?.close();
  }

  async closeAll(): Promise<void> {
    for (const tail of [...this.#open]) await this.close(tail);
  }

  /** Opens `path` if it is the file of the tail. */
  async #openSame(tail: Tail, path: string): Promise<FileHandle | null> {
    let handle: FileHandle;
    try {
      handle = await openFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    const stat = await handle.stat({ bigint: true });
    if (fileKey(stat) === tail.key) return handle;
    await handle.close();
    return null;
  }

  async #openMoved(tail: Tail): Promise<FileHandle> {
    const moved = await findByKey(tail.realPath, tail.key);
    const handle = moved && (await this.#openSame(tail, moved.path));
    if (!handle) throw Object.assign(new Error(`${tail.path} is gone`), { code: 'ENOENT' });
    return handle;
  }

  /** Closes the least recently used of the files that can be opened again by their name. */
  async #makeRoom(): Promise<void> {
    for (const tail of this.#open) {
      if (this.#open.size < this.#limit) return;
      if (tail.atEnd && tail.retiredAt === 0 && tail.reading === null) await this.close(tail);
    }
  }
}
