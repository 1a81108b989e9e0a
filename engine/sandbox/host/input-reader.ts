import type { Frame } from '../frames.ts';
import type { InputForm, InputHead, RequestHead } from '../protocol.ts';

/** Keeping the state takes at most this share of the time. */
const SHARE = 1 / 20;

/**
 * What an input reads, as its host sees it. Its state is kept before it reads, unless that would take long, so that state, messages and what was
 * read fit together when the host dies.
 */
export class InputReader {
  readonly #request: (head: RequestHead) => Frame;
  readonly #keepState: () => void;
  #notBefore = 0;

  /** @param keepState makes the state known to the engine */
  constructor(request: (head: RequestHead) => Frame, keepState: () => void) {
    this.#request = request;
    this.#keepState = keepState;
  }

  /** Waits for what comes next. null: the input is to stop. */
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
