import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolderSync } from '../../base/files/folders.ts';
import type { LazySandbox } from '../../plugins/sandboxes.ts';

/** A folder with the states of filters that were stopped or are being replaced. */
export class SavedStates {
  readonly #folder: string;
  #count = 0;

  /** Empties the folder: files are read from their beginning at every start, so an old state would count them twice. */
  constructor(folder: string) {
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
  }

  /** Writes the state of a sandbox. @returns the file; null: it has none */
  async save(sandbox: LazySandbox): Promise<string | null> {
    makeFolderSync(this.#folder, 0o700);
    const path = join(this.#folder, `${++this.#count}.state`);
    return sandbox.save(path).then(
      () => path,
      () => null,
    );
  }
}
