import { isStringOneByteRepresentation } from 'node:v8';
import type { Frame } from './frames.ts';
import type { TextPlace } from './protocol.ts';
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
export function textPiece(text: string): TextPiece {
  const wide = !isStringOneByteRepresentation(text) && /[^\0-\xff]/.test(text);
  return { text, wide, byteLength: wide ? text.length * 2 : text.length };
}
