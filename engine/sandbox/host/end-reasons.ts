import type { Outcome } from '../prelude/index.ts';
import { cutReason, placesOf } from '../prelude/errors.ts';
import type { SandboxLimits } from '../types.ts';
import { LoadError } from './loader.ts';

/** Bytes are refused with an error where other objects end the isolate. */
const NO_BUFFER = 'RangeError: Array buffer allocation failed';
const TIMED_OUT = 'Script execution timed out.';

/** Says in words why a sandbox has to end. */
export class EndReasons {
  readonly #limits: SandboxLimits;
  readonly #placeOf: (stack: string) => string;

  /** @param placeOf `file:line:column` of a place of a stack that is in a script; empty without one */
  constructor(limits: SandboxLimits, placeOf: (stack: string) => string) {
    this.#limits = limits;
    this.#placeOf = placeOf;
  }

  /** Of what a call brought; null when the sandbox goes on. */
  ofOutcome(what: string, outcome: Outcome): string | null {
    if (outcome.length === 1) return outcome[0] ?? null;
    const [text, stack] = outcome;
    return this.#isOutOfMemory(text) ? this.#outOfMemory : `${what} ${this.located(text, stack)}`;
  }

  /** @param disposed the isolate is gone: nothing but a want of memory ends one so */
  ofError(error: unknown, disposed: boolean): string {
    if (error instanceof LoadError) return error.message;
    if (!(error instanceof Error)) return String(error);
    if (error.message === TIMED_OUT) return `exceeded the time limit of ${this.#limits.callMs} ms`;
    const text = `${error.name}: ${error.message}`;
    if (disposed || this.#isOutOfMemory(text)) return this.#outOfMemory;
    return this.located(cutReason(text), placesOf(error.stack ?? '', text));
  }

  located(text: string, stack: string): string {
    const place = this.#placeOf(stack);
    return place === '' ? text : `${place} ${text}`;
  }

  #isOutOfMemory(text: string): boolean {
    return text === NO_BUFFER && this.#limits.memory > 0;
  }

  get #outOfMemory(): string {
    return `exceeded memory_limit of ${this.#limits.memory}`;
  }
}
