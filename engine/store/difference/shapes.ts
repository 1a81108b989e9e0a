/** Characters of a text by which its shape is told. */
export const LONGEST_SHAPE = 400;
const [ZERO, NINE, NEWLINE, TAB] = [48, 57, 10, 9];
/** Words with a digit from so many characters on vary, those with so many digits, and those that begin with one, such as `5ms`; others, such as `v2`, do not. */
const [LEAST_VARYING, LEAST_DIGITS] = [5, 2];
/** Varying part of a shape: its byte, and the text for it. */
const MARK = 1;
export const VARYING = '<*>';

/** 1: part of a word, 2: a digit. */
export const KINDS = new Uint8Array(256);
for (let code = 0; code < 256; code++)
  KINDS[code] = code >= ZERO && code <= NINE ? 2 : /[A-Za-z_-]/.test(String.fromCharCode(code)) || code >= 128 ? 1 : 0;

/**
 * Writes the shape of a text: words that are numbers or long ones with digits are one mark each, as numbers, addresses and ids are. A stack of calls is left out.
 * @returns the length of it
 */
export function shapeInto(bytes: Uint8Array, from: number, to: number, out: Uint8Array): number {
  const end = Math.min(to, from + LONGEST_SHAPE);
  let length = 0;
  let at = from;
  while (at < end) {
    let code = bytes[at] as number;
    let kind = KINDS[code] as number;
    if (kind === 0) {
      if (code === NEWLINE && bytes[at + 1] === TAB) break;
      out[length++] = code;
      at++;
      continue;
    }
    const start = at;
    let place = length;
    let digits = 0;
    do {
      out[place++] = code;
      digits += kind >> 1;
      if (++at === end) break;
      code = bytes[at] as number;
      kind = KINDS[code] as number;
    } while (kind !== 0);
    if (isVarying(digits, at - start, bytes[start] as number)) {
      // Parts of a number or of an address are one.
      if (length >= 2 && out[length - 2] === MARK && isJoint(out[length - 1] as number)) length--;
      else out[length++] = MARK;
    } else length = place;
  }
  return length;
}

/** Whether a word varies. @param first its first character */
export const isVarying = (digits: number, length: number, first: number): boolean =>
  digits > 0 && (digits >= LEAST_DIGITS || KINDS[first] === 2 || length >= LEAST_VARYING);

/** The texts between the marks of a shape: before the first one, and so on. */
export const literalsOf = (shape: string): string[] => shape.split('\u0001');

/**
 * Finds the words of a text that the marks of its shape stand for.
 * @param literals lengths of the texts before its marks
 * @param spans gets the begin and the end of each
 */
export function markSpans(bytes: Uint8Array, from: number, to: number, literals: readonly number[], spans: Uint32Array): void {
  const end = Math.min(to, from + LONGEST_SHAPE);
  let at = from;
  for (let mark = 0; mark < literals.length && 2 * mark < spans.length; mark++) {
    at += literals[mark] as number;
    spans[2 * mark] = at;
    at = markEnd(bytes, at, end);
    spans[2 * mark + 1] = at;
  }
}

/** End of what a mark stands for. */
function markEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  for (;;) {
    const start = at === from ? at : at + 1;
    let next = start;
    let digits = 0;
    for (let kind; next < end && (kind = KINDS[bytes[next] as number] as number) !== 0; next++) digits += kind >> 1;
    if (start > from && (next === start || !isVarying(digits, next - start, bytes[start] as number))) return at;
    at = next;
    if (at >= end || !isJoint(bytes[at] as number)) return at;
  }
}

/** `.`, `:` and `,`. */
const isJoint = (code: number): boolean => code === 46 || code === 58 || code === 44;

/** Bytes that a shape needs at most. */
export const SHAPE_BYTES = LONGEST_SHAPE + 1;

/** A shape as people read it. */
export const shapeText = (shape: string): string => shape.replaceAll('\u0001', VARYING);
