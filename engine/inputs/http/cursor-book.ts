import { dirname } from 'node:path';
import { errorCode } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { readText } from '../../base/files/regular-file.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { Serial } from '../../base/time/serial.ts';
import { errorText } from '../notices.ts';
import type { InputNotice } from '../types.ts';

/** Bytes of a file that is read. */
const MOST_BYTES = 1 << 20;

/** The cursors of some addresses: those of the requests to come, and in a file those up to which everything was taken. */
export class CursorBook {
  readonly #path: string;
  /** Cursors of another rule are worth nothing. */
  readonly #rule: string;
  readonly #notice: (notice: InputNotice) => void;
  readonly #writes = new Serial();
  readonly #next = new Map<string, string>();
  readonly #taken = new Map<string, string>();
  #written = '';
  #hasFailed = false;

  constructor(path: string, rule: object, notice: (notice: InputNotice) => void) {
    this.#path = path;
    this.#rule = JSON.stringify(rule);
    this.#notice = notice;
  }

  /** Reads the cursors that were written last; one that cannot be used is told, and counts as none. */
  async load(): Promise<void> {
    try {
      const { rule, cursors } = JSON.parse(await readText(this.#path, MOST_BYTES)) as { rule: unknown; cursors: unknown };
      if (typeof cursors !== 'object' || cursors === null) throw new Error('it has no cursors');
      if (rule !== this.#rule) return;
      for (const [address, cursor] of Object.entries(cursors)) {
        if (typeof cursor !== 'string') throw new Error('a cursor is not a text');
        this.#taken.set(address, cursor);
        this.#next.set(address, cursor);
      }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      const text = `The cursors ${this.#path} cannot be used (${errorText(error)}): pages are asked for from the first one on again.`;
      this.#notice({ level: 'warning', code: 'checkpoint.unusable', text });
    }
  }

  /** The cursor of the next request to an address; null: of the first page. */
  at(address: string): string | null {
    return this.#next.get(address) ?? null;
  }

  /** Sets the cursor of the next request. */
  move(address: string, cursor: string): void {
    this.#next.set(address, cursor);
  }

  /** Everything before this cursor was taken: it is where a restart begins. */
  keep(address: string, cursor: string): void {
    this.#taken.set(address, cursor);
    void this.settle();
  }

  /** Resolves when what was kept is in the file, or after a notice when it cannot be. */
  async settle(): Promise<void> {
    await this.#writes.run(() => this.#write());
  }

  async #write(): Promise<void> {
    const text = `${JSON.stringify({ rule: this.#rule, cursors: Object.fromEntries(this.#taken) })}\n`;
    if (this.#taken.size === 0 || text === this.#written) return;
    try {
      await makeFolder(dirname(this.#path), 0o744);
      await replaceFile(this.#path, text);
      this.#written = text;
      if (this.#hasFailed)
        this.#notice({ level: 'info', code: 'checkpoint.written', text: `The cursors ${this.#path} are written again.` });
      this.#hasFailed = false;
    } catch (error) {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      const text = `The cursors ${this.#path} cannot be written (${errorText(error)}). After a restart pages are read twice. Give the folder write permission, or free some space.`;
      this.#notice({ level: 'warning', code: 'checkpoint.unwritable', text });
    }
  }
}
