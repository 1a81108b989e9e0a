import type { TextColumn, TextValues } from './batch/columns.ts';

/** A text whose code units lie in memory, one byte each. The string is made when it is asked for: what only writes the text elsewhere needs none. */
export class LatinText {
  readonly bytes: Buffer;
  #text: string | null = null;

  /** @param bytes they are not to change any more */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** A copy of bytes that threads can read without another one. */
  static shared(bytes: Uint8Array): LatinText {
    const copy = Buffer.from(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    return new LatinText(copy);
  }

  /** Code units. */
  get length(): number {
    return this.bytes.length;
  }

  get text(): string {
    return (this.#text ??= this.slice(0, this.bytes.length));
  }

  slice(start: number, end: number): string {
    return this.bytes.toString('latin1', start, end);
  }
}

/** A text, made or not. */
export type Text = string | LatinText;

/** The text that values are pieces of. */
export const backingOf = (values: TextValues): Text => values.latin ?? values.text;

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
