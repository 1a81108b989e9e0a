import { LONGEST, TextCodes } from './text-codes.ts';

/** Texts that are remembered. */
const MOST = 8192;

/** The codes of the shapes of the first texts: texts that come again, as most paths do, are found without their shape. */
export class KnownShapes {
  readonly #texts = new TextCodes();
  readonly #codes = new Int32Array(MOST);

  /** The code of the shape of a text; -1: it is to be found out. */
  of(bytes: DataView, from: number, to: number): number {
    const text = this.#texts.guessOf(bytes, from, Math.min(to, from + LONGEST));
    return text < 0 ? -1 : (this.#codes[text] as number);
  }

  add(bytes: DataView, from: number, to: number, code: number): void {
    if (this.#texts.size < MOST) this.#codes[this.#texts.codeOf(bytes, from, Math.min(to, from + LONGEST), MOST)] = code;
  }
}
