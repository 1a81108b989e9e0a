/** Goes through a text of JSON in bytes, one for each character, without making values of it. */

/** Deepest nesting that is gone through. */
const MOST_DEPTH = 16;
const [TAB, LF, CR, BLANK, QUOTE, PLUS, COMMA, MINUS, DOT, COLON, OPEN, BACKSLASH, CLOSE, BRACE, BRACE_END] = [
  9, 10, 13, 32, 34, 43, 44, 45, 46, 58, 91, 92, 93, 123, 125,
] as const;
const [ZERO, NINE, SMALL_E, BIG_E, SMALL_U] = [48, 57, 101, 69, 117] as const;
const ESCAPED = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word));

export { BRACE, BRACE_END, COLON, COMMA, QUOTE };

/** The place of the next byte that is no white space. */
export function behindBlanks(bytes: Uint8Array, at: number): number {
  for (;;) {
    const code = bytes[at];
    if (code !== BLANK && code !== TAB && code !== CR && code !== LF) return at;
    at++;
  }
}

/** The place behind a value that begins at a place; -1: there is none before `end`. */
export function behindValue(bytes: Uint8Array, at: number, end: number, depth = 0): number {
  switch (bytes[at]) {
    case QUOTE:
      return behindString(bytes, at, end);
    case BRACE:
    case OPEN:
      return depth < MOST_DEPTH ? behindAll(bytes, at, end, depth + 1) : -1;
    case 116:
    case 102:
    case 110:
      return behindWord(bytes, at, end);
    default:
      return behindNumber(bytes, at, end);
  }
}

/** The place behind a string that begins at a place; -1: there is none before `end`. */
function behindString(bytes: Uint8Array, at: number, end: number): number {
  for (at++; at < end; at++) {
    const code = bytes[at] as number;
    if (code === QUOTE) return at + 1;
    if (code < BLANK) return -1;
    if (code !== BACKSLASH) continue;
    const escaped = bytes[++at] as number;
    if (escaped === SMALL_U && isHex(bytes, at + 1, at + 5)) at += 4;
    else if (!ESCAPED.has(escaped)) return -1;
  }
  return -1;
}

function isHex(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!/[\da-f]/i.test(String.fromCharCode(bytes[at] as number))) return false;
  return true;
}

/** Behind an object or a list. */
function behindAll(bytes: Uint8Array, at: number, end: number, depth: number): number {
  const isObject = bytes[at] === BRACE;
  const close = isObject ? BRACE_END : CLOSE;
  at = behindBlanks(bytes, at + 1);
  if (bytes[at] === close) return at + 1;
  for (;;) {
    if (isObject) {
      at = bytes[at] === QUOTE ? behindString(bytes, at, end) : -1;
      if (at < 0) return -1;
      at = behindBlanks(bytes, at);
      if (bytes[at] !== COLON) return -1;
      at = behindBlanks(bytes, at + 1);
    }
    at = behindValue(bytes, at, end, depth);
    if (at < 0) return -1;
    at = behindBlanks(bytes, at);
    const code = at < end ? bytes[at] : undefined;
    if (code === close) return at + 1;
    if (code !== COMMA) return -1;
    at = behindBlanks(bytes, at + 1);
  }
}

function behindWord(bytes: Uint8Array, at: number, end: number): number {
  for (const word of WORDS) if (at + word.length <= end && word.every((code, i) => bytes[at + i] === code)) return at + word.length;
  return -1;
}

/** -1 also for a number with a zero in front, which JSON has not. */
function behindNumber(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] === MINUS) at++;
  const first = at;
  at = behindDigits(bytes, at, end);
  if (at === first || (bytes[first] === ZERO && at > first + 1)) return -1;
  if (bytes[at] === DOT) {
    const fraction = at + 1;
    at = behindDigits(bytes, fraction, end);
    if (at === fraction) return -1;
  }
  if (bytes[at] === SMALL_E || bytes[at] === BIG_E) {
    const sign = bytes[at + 1];
    const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
    at = behindDigits(bytes, exponent, end);
    if (at === exponent) return -1;
  }
  return at;
}

function behindDigits(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
  return at;
}
