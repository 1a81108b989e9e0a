import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRegularFile } from '../base/files/regular-file.ts';
import { errorCode, messageOf } from '../base/errors.ts';
import { makeFolder } from '../base/files/folders.ts';
import { Serial } from '../base/time/serial.ts';
import { unwritable } from '../base/files/unwritable.ts';

/** Bytes of a file that is read. */
const MOST_BYTES = 1 << 30;

/** Keeps data that is to be sent before anything else, over the end of the service. */
export class UnsentFile {
  readonly #path: string;
  readonly #onProblem: (text: string) => void;
  readonly #turns = new Serial();
  #isThere = false;

  constructor(path: string, onProblem: (text: string) => void) {
    this.#path = path;
    this.#onProblem = onProblem;
  }

  /** The data of an earlier run; null: there is none. @throws {Error} when it cannot be read, as while its disk is away: without it, the data would be lost */
  async load(): Promise<Buffer | null> {
    const file = await readRegularFile(this.#path, MOST_BYTES).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw new Error(`${this.#path} cannot be read (${messageOf(error)}): start again when its disk is back`, { cause: error });
    });
    const bytes = file?.bytes ?? null;
    this.#isThere = bytes !== null;
    return bytes === null || bytes.length === 0 ? null : bytes;
  }

  /** Takes the place of what was kept before, in one step; nothing is kept of no data. */
  keep(data: readonly Uint8Array[]): Promise<void> {
    return this.#turns.run(() => this.#keep(data));
  }

  /** Resolves when all is kept that was to be. */
  settled(): Promise<void> {
    return this.#turns.idle();
  }

  async #keep(data: readonly Uint8Array[]): Promise<void> {
    if (data.length === 0 && !this.#isThere) return;
    this.#isThere = data.length > 0;
    try {
      if (data.length === 0) return await rm(this.#path, { force: true });
      await makeFolder(dirname(this.#path), 0o700);
      const draft = `${this.#path}.tmp`;
      // Not into what was left there, or into a link.
      await rm(draft, { force: true });
      await writeFile(draft, data, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.#path);
    } catch (error) {
      this.#onProblem(`what is to be sent again is lost if the service ends before that: ${unwritable(this.#path, error)}`);
    }
  }
}
