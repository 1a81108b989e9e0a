import { Serial } from '../../base/time/serial.ts';
import type { Frame } from '../wire/frames.ts';
import { writeState, type SavedScript } from '../wire/preservation.ts';
import type { StateHead } from '../contract/protocol.ts';
import type { ScriptCounters } from '../calls/script-counters.ts';
import type { SandboxSpec } from '../contract/types.ts';

/** Takes what is not kept of a sandbox's state, or that nothing is. */
export type OnStateProblem = (spec: SandboxSpec, problem: string) => void;

/** Shortest interval between two writes, except for the last one. */
const INTERVAL_MS = 30_000;

/** Writes the states of a sandbox that preserves its data to its file, one after the other, and says what is not kept. */
export class StateFile {
  readonly #spec: SandboxSpec;
  readonly #counters: ScriptCounters;
  readonly #onProblem: OnStateProblem;
  #writtenAt = performance.now();
  /** The problem that was told last, until there is none any more. */
  #told: string | null = null;
  readonly #writes = new Serial();

  constructor(spec: SandboxSpec, counters: ScriptCounters, onProblem: OnStateProblem) {
    this.#spec = spec;
    this.#counters = counters;
    this.#onProblem = onProblem;
  }

  get wanted(): boolean {
    return this.#spec.preservation !== undefined;
  }

  /** Whether it is time to write a state. */
  get due(): boolean {
    return this.wanted && performance.now() - this.#writtenAt >= INTERVAL_MS;
  }

  /** Writes a state in the background. Errors are only reported, each once: the next state is written in its time, and the old one stays until then. */
  write(state: SavedScript): void {
    const path = this.#spec.preservation;
    if (path === undefined) return;
    this.#writtenAt = performance.now();
    void this.#writes.run(() =>
      writeState(path, state).then(
        () => this.#written(path),
        (error: unknown) => this.failed(error),
      ),
    );
  }

  /** Takes why there is no state to write. */
  failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#counters.noteStateProblem(reason);
    if (reason !== this.#told) this.#onProblem(this.#spec, reason);
    this.#told = reason;
  }

  #written(path: string): void {
    if (this.#told !== null) this.#onProblem(this.#spec, `the preserved data '${path}' is written again`);
    this.#told = null;
  }

  /** Says once of each place that it is not kept. */
  noteUnkept(what: string, places: readonly string[]): void {
    const fresh = this.wanted ? this.#counters.noteUnkept(places) : [];
    if (fresh.length > 0) this.#onProblem(this.#spec, `${what}: ${fresh.join(', ')}`);
  }

  /** Resolves when all pending writes are done. */
  settled(): Promise<void> {
    return this.#writes.idle();
  }
}

/** A state as a host sent it. */
export function savedScript({ wide, version }: StateHead, frame: Frame): SavedScript {
  return { head: { wide, version }, text: frame.texts, block: new Uint8Array(frame.block) };
}
