import type { TypeProblem } from '../../../../../engine/api/script-types.ts';
import type { TypeClient } from './types/type-client.ts';

const TYPING_MS = 150;

/** Checks the types of a script while it is edited: one check at a time, the last text wins. */
export class TypeCheck {
  /** The mistakes, and the text in which they are; null: nothing was checked yet. */
  found = $state.raw<{ readonly text: string; readonly problems: readonly TypeProblem[] } | null>(null);
  readonly #types: TypeClient;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: string | null = null;
  #busy = false;

  constructor(types: TypeClient) {
    this.#types = types;
  }

  /** Checks it after a pause in typing. */
  want(text: string): void {
    this.#next = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), TYPING_MS);
  }

  close(): void {
    this.#next = null;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#next !== null) {
      const text = this.#next;
      this.#next = null;
      const problems = await this.#types.ask('problems', text, {});
      if (problems !== null) this.found = { text, problems };
    }
    this.#busy = false;
  }
}
