import type { Frame } from '../wire/frames.ts';
import type { InputForm, InputHead, RequestHead } from '../contract/protocol.ts';

/** Largest share of the time that saving the state before reads may take. */
const SHARE = 1 / 20;

/**
 * Reads the source of an input by requests to the engine. Saves the script's state before each read, unless that would take too much of the
 * time, so that state, messages and read data agree when the host dies.
 */
export class InputReader {
  readonly #request: (head: RequestHead) => Frame;
  readonly #keepState: () => void;
  #notBefore = 0;

  /** @param keepState saves the state and sends it to the engine */
  constructor(request: (head: RequestHead) => Frame, keepState: () => void) {
    this.#request = request;
    this.#keepState = keepState;
  }

  /** Waits for the next data; null: the input is to stop. */
  read(form: InputForm, rest: number, globals: number): Frame | null {
    let saved = globals > 0 && performance.now() >= this.#notBefore && this.#keep();
    for (let left = rest; ; left = 0) {
      const answer = this.#request({ want: 'input', form, rest: left, saved, globals });
      const { kind } = JSON.parse(answer.head) as InputHead;
      if (kind === 'stop') return null;
      if (kind !== 'save') return answer;
      saved = this.#keep();
    }
  }

  #keep(): true {
    const started = performance.now();
    this.#keepState();
    const now = performance.now();
    this.#notBefore = now + (now - started) / SHARE;
    return true;
  }
}
