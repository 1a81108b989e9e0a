/** Characters of a text by which its shape is told. */
const LONGEST_SHAPE = 400;
const [ZERO, NINE, NEWLINE, TAB] = [48, 57, 10, 9];
/** Words with a digit from so many characters on vary, and those with so many digits; others, such as `v2`, do only if they are numbers. */
const [LEAST_VARYING, LEAST_DIGITS] = [5, 2];
/** Varying part of a shape: its byte, and the text for it. */
const MARK = 1;
const VARYING = '<*>';

/** 1: part of a word. */
const WORD = new Uint8Array(256);
for (let code = 0; code < 256; code++) WORD[code] = /[0-9A-Za-z_-]/.test(String.fromCharCode(code)) || code >= 128 ? 1 : 0;

/**
 * Writes the shape of a text: words that are numbers or long ones with digits are one mark each, as numbers, addresses and ids are. A stack of calls is left out.
 * @returns the length of it
 */
export function shapeInto(bytes: Uint8Array, from: number, to: number, out: Uint8Array): number {
  const end = Math.min(to, from + LONGEST_SHAPE);
  let length = 0;
  let at = from;
  while (at < end) {
    const code = bytes[at] as number;
    if (WORD[code] === 0) {
      if (code === NEWLINE && bytes[at + 1] === TAB) break;
      out[length++] = code;
      at++;
      continue;
    }
    const start = at;
    let digits = 0;
    while (at < end && WORD[bytes[at] as number] === 1) {
      const one = bytes[at++] as number;
      if (one >= ZERO && one <= NINE) digits++;
    }
    if (digits > 0 && (digits >= LEAST_DIGITS || digits === at - start || at - start >= LEAST_VARYING)) {
      // Parts of a number or of an address are one.
      if (length >= 2 && out[length - 2] === MARK && isJoint(out[length - 1] as number)) length--;
      else out[length++] = MARK;
    } else for (let i = start; i < at; i++) out[length++] = bytes[i] as number;
  }
  return length;
}

/** `.`, `:` and `,`. */
const isJoint = (code: number): boolean => code === 46 || code === 58 || code === 44;

/** Bytes that a shape needs at most. */
export const SHAPE_BYTES = LONGEST_SHAPE + 1;

/** A shape as people read it. */
export const shapeText = (shape: string): string => shape.replaceAll('\u0001', VARYING);
