import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder and one outside of it, which holds the file `theirs` with the text "theirs". */
export class TwoFolders implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'sluicebox-place-'));
  readonly folder = join(this.#root, 'in');
  readonly outside = join(this.#root, 'out');

  constructor() {
    mkdirSync(this.folder);
    mkdirSync(this.outside);
    writeFileSync(join(this.outside, 'theirs'), 'theirs');
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
