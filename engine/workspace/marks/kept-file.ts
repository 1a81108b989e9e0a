import { dirname } from 'node:path';
import { readTextSync } from '../../base/files/regular-file.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { putAside } from '../../base/files/put-aside.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { Serial } from '../../base/time/serial.ts';
import { unwritable } from '../../base/files/unwritable.ts';

interface KeptOptions<T> {
  readonly path: string;
  readonly parse: (text: string) => T;
  readonly format: (value: T) => string;
  /** Called with the reason when the file could not be read, and once when it cannot be written for a while. */
  readonly failed: (text: string) => void;
}

/** Bytes of a file that is read. */
const MOST_BYTES = 256 << 20;
/** Milliseconds after which a write that failed is tried again. */
const RETRY_MS = 5000;

/** A value in a file of its own. One that cannot be read is put aside, never written over. */
export class KeptFile<T> {
  readonly #options: KeptOptions<T>;
  readonly #writes = new Serial();
  /** The value that is to be written next; undefined: none waits. */
  #waiting: { readonly value: T } | undefined;
  /** The value that could not be written; it is tried again. */
  #unwritten: { readonly value: T } | undefined;
  #retry: NodeJS.Timeout | undefined;
  /** Whether an unreadable file is in its place: it is not written over then. */
  #isLocked = false;

  constructor(options: KeptOptions<T>) {
    this.#options = options;
  }

  /** null: there is no file that can be read. */
  read(): T | null {
    const { path, parse } = this.#options;
    let text: string;
    try {
      text = readTextSync(path, MOST_BYTES);
    } catch (error) {
      return errorCode(error) === 'ENOENT' ? null : this.#putAside(`cannot be read: ${messageOf(error)}`);
    }
    try {
      return parse(text);
    } catch {
      return this.#putAside('is damaged');
    }
  }

  #putAside(reason: string): null {
    const { path, failed } = this.#options;
    try {
      const aside = putAside(path);
      failed(`${path} ${reason}. It was put aside as ${aside}.`);
    } catch (error) {
      this.#isLocked = true;
      failed(`${path} ${reason}. It cannot be put aside, so nothing is written to it: ${messageOf(error)}`);
    }
    return null;
  }

  /** Writes soon; of several values that wait the last one. */
  write(value: T): void {
    if (this.#isLocked) return;
    const idle = this.#waiting === undefined;
    this.#waiting = { value };
    if (idle) void this.#writes.run(() => this.#writeWaiting());
  }

  /** Resolves when all is written, or was tried. */
  settled(): Promise<void> {
    this.#again();
    return this.#writes.idle();
  }

  #again(): void {
    if (this.#unwritten !== undefined) void this.#writes.run(() => this.#writeWaiting());
  }

  async #writeWaiting(): Promise<void> {
    const { path, format, failed } = this.#options;
    const next = this.#waiting ?? this.#unwritten;
    this.#waiting = undefined;
    if (next === undefined) return;
    try {
      await makeFolder(dirname(path), 0o700);
      await replaceFile(path, format(next.value));
      this.#unwritten = undefined;
    } catch (error) {
      if (this.#unwritten === undefined) failed(`${unwritable(path, error)}. It is tried again.`);
      this.#unwritten = next;
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#again(), RETRY_MS).unref();
    }
  }
}
