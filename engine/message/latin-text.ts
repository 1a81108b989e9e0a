import type { TextColumn, TextValues } from './batch/columns.ts';

/** Pieces that are cut one by one from the bytes; for more of them the string is made. */
const FEW_PIECES = 500;

/** A text whose code units lie in memory, one byte each. The string is made when it is asked for: what only writes the text elsewhere needs none. */
export class LatinText {
  /** Code units. */
  readonly length: number;
  /** null: they were given back. */
  #bytes: Buffer | null;
  #text: string | null = null;
  /** Pieces that were cut from the bytes. */
  #pieces = 0;
  readonly #giveBack: (() => void) | null;
  #holders = 1;

  /**
   * @param bytes they do not change while anybody holds the text
   * @param giveBack is called when nobody holds it any more
   */
  constructor(bytes: Buffer, giveBack: (() => void) | null = null) {
    this.#bytes = bytes;
    this.length = bytes.length;
    this.#giveBack = giveBack;
  }

  /** A copy of bytes that threads can read without another one. */
  static shared(bytes: Buffer): LatinText {
    const copy = Buffer.from(new SharedArrayBuffer(bytes.length));
    bytes.copy(copy);
    return new LatinText(copy);
  }

  /** They may be read until the text is released. */
  get bytes(): Buffer {
    if (this.#bytes === null) throw new Error('a text is read that was given back');
    return this.#bytes;
  }

  /** Keeps the bytes as they are until `release` was called once more. Whoever made the text holds it. */
  hold(): void {
    this.#holders++;
  }

  release(): void {
    if (--this.#holders > 0 || this.#giveBack === null || this.#bytes === null) return;
    this.#bytes = null;
    this.#giveBack();
  }

  get text(): string {
    return (this.#text ??= this.bytes.toString('latin1'));
  }

  slice(start: number, end: number): string {
    if (this.#text === null && ++this.#pieces <= FEW_PIECES) return this.bytes.toString('latin1', start, end);
    return this.text.slice(start, end);
  }
}

/** A text, made or not. */
export type Text = string | LatinText;

/** The text that values are pieces of. */
export const backingOf = (values: TextValues): Text => values.latin ?? values.text;

/** One of these values. */
export const pieceOf = (values: TextValues, index: number): string =>
  backingOf(values).slice(values.starts[index] as number, values.ends[index] as number);

/** The string of a text. */
export const madeText = (text: Text): string => (typeof text === 'string' ? text : text.text);

/** Values that are pieces of a text. */
export function textValues(text: Text, starts: Uint32Array, ends: Uint32Array): TextValues {
  if (typeof text === 'string') return { text, starts, ends };
  return {
    get text() {
      return text.text;
    },
    starts,
    ends,
    latin: text,
  };
}

/** A header whose values are pieces of a text. */
export function textHeader(rows: Uint32Array | null, text: Text, starts: Uint32Array, ends: Uint32Array): TextColumn {
  return Object.assign(textValues(text, starts, ends), { rows });
}
