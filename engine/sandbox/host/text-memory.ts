import type { TextPlace } from '../contract/protocol.ts';
import type { Frame } from '../wire/frames.ts';
import { receivedTexts } from '../wire/texts.ts';
import { ivm } from './isolate.ts';

/** Fewest and most bytes of the texts of a batch that are shared: others go into the isolate as strings. */
const LEAST = 1 << 12;
const MOST = 1 << 22;
/** A script that asked for strings in so many batches one after the other gets strings from then on: to make them there takes longer. */
const MOST_ASKED = 3;

/**
 * Memory that a host shares with one isolate for the texts of a decoder's batch, so that no string is made of them unless the script asks for one. It is used
 * again for the next batch.
 */
export class TextMemory {
  readonly #share: (buffer: unknown) => void;
  #bytes: Buffer = Buffer.alloc(0);
  #ends: number[] = [];
  /** Whether the script has asked for a string in this batch, and in how many before it in a row. */
  #asked = false;
  #askedBefore = 0;

  /** @param share hands memory to the prelude */
  constructor(share: (buffer: unknown) => void) {
    this.#share = share;
  }

  /** The texts of a delivery as the prelude takes them: strings, or how many bytes of the shared memory each has, one behind the other. */
  delivered(frame: Frame, places: readonly TextPlace[]): (string | number)[] {
    const size = frame.texts.length;
    if (this.#askedBefore < MOST_ASKED) this.#askedBefore = this.#asked ? this.#askedBefore + 1 : 0;
    this.#asked = false;
    const isUnwanted = this.#askedBefore === MOST_ASKED;
    if (isUnwanted || size < LEAST || size > MOST || places.some(({ wide }) => wide)) return receivedTexts(frame, places);
    if (size > this.#bytes.length) this.#grow(size);
    frame.texts.copy(this.#bytes);
    let end = 0;
    this.#ends = places.map(({ bytes }) => (end += bytes));
    return places.map(({ bytes }) => bytes);
  }

  /** The string of a text of the last delivery. The script may have changed its bytes, to its own harm. */
  text(number: number): string {
    this.#asked = true;
    return this.#bytes.toString('latin1', this.#ends[number - 1] ?? 0, this.#ends[number] ?? 0);
  }

  #grow(size: number): void {
    const memory = new SharedArrayBuffer(2 ** Math.ceil(Math.log2(size)));
    this.#bytes = Buffer.from(memory);
    this.#share(new ivm.ExternalCopy(memory).copyInto());
  }
}
