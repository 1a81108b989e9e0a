import { resolve } from 'node:path';
import type { GrantUse } from '../../api/wire.ts';

/** The files that the user chose in dialogs of the shell, by use: the window may use no others, whatever it asks for. */
export class Grants {
  readonly #paths: Readonly<Record<GrantUse, Set<string>>> = {
    open: new Set(),
    script: new Set(),
    export: new Set(),
    workspace: new Set(),
    rules: new Set(),
  };

  add(use: GrantUse, path: string): void {
    this.#paths[use].add(resolve(path));
  }

  has(use: GrantUse, path: string): boolean {
    return this.#paths[use].has(resolve(path));
  }

  /** Uses a grant up. Returns whether there was one. */
  take(use: GrantUse, path: string): boolean {
    return this.#paths[use].delete(resolve(path));
  }
}
