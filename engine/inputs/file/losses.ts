import type { InputNotice } from '../types.ts';

/** Counts and tells what was removed before it was read. */
export class Losses {
  readonly #notice: (notice: InputNotice) => void;
  #files = 0;
  #bytes = 0;

  constructor(notice: (notice: InputNotice) => void) {
    this.#notice = notice;
  }

  /** For reports: files of which something was lost, and how much. */
  get figures(): Readonly<Record<string, number>> {
    return { LostFileCount: this.#files, LostFileBytes: this.#bytes };
  }

  /** A file is gone, and so many of its bytes were not read. */
  removed(path: string, bytes: number): void {
    this.#lost(bytes, `${path} was removed before it was read: ${shown(bytes)} of it are lost. ${ADVICE}`);
  }

  /** A file was emptied or written anew, and so many of the bytes that it had held were not read, nor are they found in a copy. */
  emptied(path: string, bytes: number): void {
    this.#lost(bytes, `${path} was emptied before it was read, and no copy is found: ${shown(bytes)} are lost. ${ADVICE}`);
  }

  /** A file has no name any more, and its rest cannot be read after the end of the input. */
  left(path: string, bytes: number): void {
    this.#lost(bytes, `${path} was removed, and its input stopped before it was read to its end: ${shown(bytes)} are lost. ${ADVICE}`);
  }

  /** A log was rotated so often between two looks at it that files may have come and gone unseen. */
  unseen(path: string): void {
    const text = `${path} was rotated more often between two looks at it than older files are kept: records may be missing. ${ADVICE}`;
    this.#notice({ level: 'warning', code: 'file.data-missing', text });
  }

  #lost(bytes: number, text: string): void {
    if (bytes <= 0) return;
    this.#files++;
    this.#bytes += bytes;
    this.#notice({ level: 'error', code: 'file.lost', text });
  }
}

const ADVICE = 'Keep more rotated files, or find what takes their records so slowly.';

const shown = (bytes: number): string => `${bytes.toLocaleString('en')} bytes`;
