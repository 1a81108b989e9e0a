import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { keep, keptBytes, type PreparedText } from './prepared.ts';

/**
 * A script, and V8's compiled code of it, which is kept beside its prepared text for the next start: parsing takes longer than all else that a start of a large
 * script does. V8 takes only such code as was compiled under the same flags, which its name tells.
 */
export class CompiledCode {
  readonly script: Script;
  readonly #path: string | null;
  #isKept: boolean;

  /** @param path file of the prepared text; null: there is nothing to keep @param filename name in the places of errors */
  constructor({ text, path }: PreparedText, filename: string) {
    this.#path = path === null ? null : `${path}.${cachedDataVersionTag().toString(16)}.compiled`;
    const cachedData = this.#path === null ? null : keptBytes(this.#path);
    this.script = new Script(text, { filename, ...(cachedData === null ? {} : { cachedData }) });
    this.#isKept = this.#path === null || this.script.cachedDataRejected === false;
  }

  /** Whether there is nothing to keep any more. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Keeps the functions that are compiled so far. */
  keep(): void {
    if (!this.#isKept && this.#path !== null) keep(this.#path, this.script.createCachedData());
    this.#isKept = true;
  }
}
