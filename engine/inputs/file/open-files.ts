import type { FileHandle } from 'node:fs/promises';
import { openByKey } from './rotation.ts';
import type { Tail } from './tail.ts';

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
      tail.handle =
        (await openByKey(tail.path, tail.key)) ?? (tail.path === tail.realPath ? null : await openByKey(tail.realPath, tail.key));
      if (tail.handle === null) throw Object.assign(new Error(`${tail.path} is gone`), { code: 'ENOENT' });
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

  /** Closes the least recently used of the files that can be opened again by their name. */
  async #makeRoom(): Promise<void> {
    for (const tail of this.#open) {
      if (this.#open.size < this.#limit) return;
      if (tail.atEnd && tail.retiredAt === 0 && tail.reading === null) await this.close(tail);
    }
  }
}
