import { isStringOneByteRepresentation } from 'node:v8';
import type { Frame } from './frames.ts';
import type { TextPlace } from '../contract/protocol.ts';
import type { Text } from '../../message/latin-text.ts';
import type { TextPiece } from './scratch.ts';

/** Decodes the texts of a delivery. */
export function receivedTexts(frame: Frame, places: readonly TextPlace[] = textPlaces(frame.head)): string[] {
  let at = 0;
  return places.map(({ bytes, wide }) => {
    at += bytes;
    return wide ? frame.texts.toString('utf16le', at - bytes, at) : frame.texts.toString('latin1', at - bytes, at);
  });
}

function textPlaces(head: string): readonly TextPlace[] {
  return (JSON.parse(head) as { texts: readonly TextPlace[] }).texts;
}

/** Prepares a text for sending: one byte for each code unit when all fit, else two. */
export function textPiece(text: Text): TextPiece {
  if (typeof text !== 'string') return { text, wide: false, byteLength: text.length };
  const wide = !isStringOneByteRepresentation(text) && /[^\0-\xff]/.test(text);
  return { text, wide, byteLength: wide ? text.length * 2 : text.length };
}

/** Length above which a text counts as long, in code units. */
export const LONG_TEXT = 4096;

const isShort = (text: Text): text is string => typeof text === 'string' && text.length <= LONG_TEXT;

/** The texts that an isolate has, each with its number. */
export class DeliveredTexts {
  readonly #all: Text[] = [];
  readonly #short = new Map<string, number>();
  /** Numbers of the long ones. To find them in a map, V8 would hash the whole text of each batch. */
  readonly #long: number[] = [];

  /** By number. */
  get all(): readonly Text[] {
    return this.#all;
  }

  /** The number of a text; undefined: the isolate does not have it. */
  numberOf(text: Text): number | undefined {
    if (isShort(text)) return this.#short.get(text);
    return this.#long.find((number) => this.#all[number] === text);
  }

  /** Adds a text that the isolate does not have, and returns its number. */
  add(text: Text): number {
    const number = this.#all.push(text) - 1;
    if (isShort(text)) this.#short.set(text, number);
    else this.#long.push(number);
    return number;
  }
}
