/** Characters of a text by which its shape is told. */
const LONGEST_SHAPE = 400;
const [ZERO, NINE, NEWLINE, TAB] = [48, 57, 10, 9];
/** Words with a digit from so many characters on vary, those with so many digits, and those that begin with one, such as `5ms`; others, such as `v2`, do not. */
const [LEAST_VARYING, LEAST_DIGITS] = [5, 2];
/** Varying part of a shape: its byte, and the text for it. */
const MARK = 1;
export const VARYING = '<*>';

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
    at = wordEnd(bytes, start, end);
    if (isVarying(bytes, start, at)) {
      at = markEnd(bytes, at, end);
      out[length++] = MARK;
    } else for (let i = start; i < at; i++) out[length++] = bytes[i] as number;
  }
  return length;
}

/** End of what a mark stands for, behind its first word: parts of a number or of an address are one. */
function markEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at + 1 < end && isJoint(bytes[at] as number)) {
    const next = wordEnd(bytes, at + 1, end);
    if (next === at + 1 || !isVarying(bytes, at + 1, next)) break;
    at = next;
  }
  return at;
}

function wordEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && WORD[bytes[at] as number] === 1) at++;
  return at;
}

function isVarying(bytes: Uint8Array, from: number, to: number): boolean {
  if (isDigit(bytes[from] as number)) return true;
  let digits = 0;
  for (let at = from; at < to; at++) if (isDigit(bytes[at] as number)) digits++;
  return digits >= LEAST_DIGITS || (digits > 0 && to - from >= LEAST_VARYING);
}

/** The texts between the marks of a shape: before the first one, and so on. */
export const wordsOf = (shape: string): string[] => shape.split('\u0001');

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
    at = markEnd(bytes, wordEnd(bytes, at, end), end);
    spans[2 * mark + 1] = at;
  }
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** `.`, `:` and `,`. */
const isJoint = (code: number): boolean => code === 46 || code === 58 || code === 44;

/** Bytes that a shape needs at most. */
export const SHAPE_BYTES = LONGEST_SHAPE + 1;

/** A shape as people read it. */
export const shapeText = (shape: string): string => shape.replaceAll('\u0001', VARYING);
