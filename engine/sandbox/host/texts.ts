import type { Frame } from '../frames.ts';
import type { TextPlace } from '../protocol.ts';

/** The texts of a delivery. */
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

/** The bytes of a text: one a unit where that is enough, else two. */
export function sendableText(text: string): { readonly bytes: Buffer; readonly wide: boolean } {
  const wide = /[^\0-\xff]/.test(text);
  return { bytes: Buffer.from(text, wide ? 'utf16le' : 'latin1'), wide };
}
