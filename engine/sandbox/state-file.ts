import { Serial } from '../serial.ts';
import { writeState, type SavedScript } from './preservation.ts';

/** Shortest interval between two writes, except for the last one. */
const INTERVAL_MS = 30_000;

/** Writes the states of a sandbox that preserves its data to its file, one after the other. */
export class StateFile {
  readonly #path: string | undefined;
  readonly #onError: (reason: string) => void;
  #writtenAt = performance.now();
  readonly #writes = new Serial();

  /** @param path undefined: nothing is preserved */
  constructor(path: string | undefined, onError: (reason: string) => void) {
    this.#path = path;
    this.#onError = onError;
  }

  get wanted(): boolean {
    return this.#path !== undefined;
  }

  /** Whether it is time to write a state. */
  get due(): boolean {
    return this.wanted && performance.now() - this.#writtenAt >= INTERVAL_MS;
  }

  /** Writes a state in the background; errors are only reported. */
  write(state: SavedScript): void {
    const path = this.#path;
    if (path === undefined) return;
    this.#writtenAt = performance.now();
    void this.#writes.run(() =>
      writeState(path, state).catch((error: unknown) => this.#onError(error instanceof Error ? error.message : String(error))),
    );
  }

  /** Resolves when all pending writes are done. */
  settled(): Promise<void> {
    return this.#writes.idle();
  }
}
