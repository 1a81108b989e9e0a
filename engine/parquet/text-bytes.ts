import { writeUtf8 } from '../message/utf8.ts';
import type { TextValues } from '../message/batch/columns.ts';
import type { BlobStore } from './values.ts';

/** Texts from this length on are not brought into bytes as a whole: a piece of them may be all that is wanted. */
const MAX_WHOLE = 1 << 26;

/** Adds texts to stores as UTF-8. A backing string that many columns share is brought into bytes once; lone surrogates become U+FFFD. */
export class TextBytes {
  #text = '';
  /** The bytes of `text`, one for each code unit; null: it has others than ASCII. */
  #ascii: Buffer | null = null;
  #whole = Buffer.allocUnsafeSlow(1 << 16);
  #piece = Buffer.allocUnsafeSlow(1 << 12);

  /** Adds the values [from, to). */
  add(store: BlobStore, { text, starts, ends }: TextValues, from: number, to: number): void {
    const ascii = this.#asciiOf(text);
    if (ascii !== null) for (let i = from; i < to; i++) store.add(ascii, starts[i] as number, ends[i] as number);
    else for (let i = from; i < to; i++) this.addText(store, text.slice(starts[i], ends[i]));
  }

  /** Adds one text several times. */
  addText(store: BlobStore, text: string, times = 1): void {
    const most = text.length * 3;
    if (most > this.#piece.length) this.#piece = Buffer.allocUnsafeSlow(most * 2);
    store.add(this.#piece, 0, writeUtf8(text, this.#piece, 0), times);
  }

  #asciiOf(text: string): Buffer | null {
    if (text === this.#text) return this.#ascii;
    this.#text = text;
    this.#ascii = null;
    if (text.length > MAX_WHOLE || Buffer.byteLength(text) !== text.length) return null;
    if (text.length > this.#whole.length) this.#whole = Buffer.allocUnsafeSlow(text.length * 2);
    this.#whole.write(text, 0, 'latin1');
    return (this.#ascii = this.#whole);
  }

  /** Forgets the last text, which may be large. */
  clear(): void {
    this.#text = '';
    this.#ascii = null;
  }
}
