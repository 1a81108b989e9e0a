/** Texts that records have again and again, such as hosts: the same string is used for the same bytes, so that the text of the records need not be made. */
import { textOfUnits } from './excerpt.ts';

const PLACES = 64;
/** Longer texts are not kept. */
const LONGEST = 64;

/** Keeps the text that was last seen at each of a few places, found by their first and last bytes. */
export class KnownTexts {
  readonly #texts: string[] = Array.from({ length: PLACES }, () => '');

  /** The piece [from, to) of the text of the current record. */
  piece(span: PayloadSpan, from: number, to: number): string {
    const { units } = span;
    if (units === null || to - from > LONGEST) return span.text.slice(from, to);
    const place = (31 * (units[to - 1] as number) + 7 * (units[from] as number) + to - from) % PLACES;
    const known = this.#texts[place] as string;
    return isThere(known, units, from, to) ? known : (this.#texts[place] = textOfUnits(units, from, to));
  }
}

function isThere(text: string, units: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== units[from + i]) return false;
  return true;
}
