import type { TextValues } from './batch/columns.ts';

/** A text whose code units lie in memory, one byte each. The string is made when it is asked for: what only writes the text elsewhere needs none. */
export class LatinText {
  readonly bytes: Buffer;
  #text: string | null = null;

  /** @param bytes they are not to change any more */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get text(): string {
    return (this.#text ??= this.slice(0, this.bytes.length));
  }

  slice(start: number, end: number): string {
    return this.bytes.toString('latin1', start, end);
  }
}

/** Values that are pieces of a text. */
export function textValues(text: string | LatinText, starts: Uint32Array, ends: Uint32Array): TextValues {
  if (typeof text === 'string') return { text, starts, ends };
  // The property is the object's own, so that copies of the object have it.
  return {
    get text() {
      return text.text;
    },
    starts,
    ends,
    latin: text.bytes,
  };
}
