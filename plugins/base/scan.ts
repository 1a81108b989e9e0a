/**
 * Scanners: functions that recognise a piece of a text at a position and say where it ends. They allocate nothing and cut nothing out; what a
 * piece means is worked out afterwards from its two ends. The text usually holds many records, so `end` is the end of the current one.
 */

/** The position after the piece that begins at `at`, or -1 when there is none. Never beyond `end`. */
export type Scan = (text: string, at: number, end: number) => number;

const ZERO = 48;
const NINE = 57;
const DOT = 46;
const BACKSLASH = 92;
const [NEWLINE, CARRIAGE_RETURN] = [10, 13];
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Space, tab, newline, vertical tab, form feed, carriage return. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

export function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** One or more digits. */
export function digits(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && isDigit(text.charCodeAt(to))) to++;
  return to === at ? -1 : to;
}

/** Digits, a dot, digits. */
export function decimal(text: string, at: number, end: number): number {
  const dot = digits(text, at, end);
  if (dot < 0 || dot === end || text.charCodeAt(dot) !== DOT) return -1;
  return digits(text, dot + 1, end);
}

/** One or more hexadecimal digits. */
export function hexDigits(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && hexValue(text.charCodeAt(to)) >= 0) to++;
  return to === at ? -1 : to;
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - ZERO;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** Exactly `count` digits. */
export function digitCount(count: number): Scan {
  return (text, at, end) => {
    const to = at + count;
    if (to > end) return -1;
    for (let i = at; i < to; i++) if (!isDigit(text.charCodeAt(i))) return -1;
    return to;
  };
}

/** Exactly `count` characters. */
export function characters(count: number): Scan {
  return (_text, at, end) => (at + count <= end ? at + count : -1);
}

/** The first of the words that stands there; an empty word always does. */
export function oneOf(words: readonly string[]): Scan {
  return (text, at, end) => {
    for (const word of words) if (at + word.length <= end && text.startsWith(word, at)) return at + word.length;
    return -1;
  };
}

/** The first scanner that accepts decides. */
export function either(first: Scan, second: Scan): Scan {
  return (text, at, end) => {
    const to = first(text, at, end);
    return to < 0 ? second(text, at, end) : to;
  };
}

/** One scanner after the other. */
export function sequence(...scans: Scan[]): Scan {
  return (text, at, end) => {
    for (let i = 0; i < scans.length && at >= 0; i++) at = (scans[i] as Scan)(text, at, end);
    return at;
  };
}

/** Pieces with one of the separators between them. */
export function listOf(piece: Scan, separator: Scan): Scan {
  return (text, at, end) => {
    let to = piece(text, at, end);
    for (let next = to; next >= 0;) {
      to = next;
      const after = separator(text, to, end);
      next = after < 0 ? -1 : piece(text, after, end);
    }
    return to;
  };
}

/** Zero or more characters up to white space. */
export function upToSpace(text: string, at: number, end: number): number {
  while (at < end && !isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The first character from `at` on that is no white space. */
export function skipSpace(text: string, at: number, end: number): number {
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Zero or more characters up to a quote that has no backslash right before it. */
export function upToQuote(text: string, at: number, end: number): number {
  for (let from = at; ; from++) {
    from = text.indexOf('"', from);
    if (from < 0 || from >= end) return end;
    if (from === at || text.charCodeAt(from - 1) !== BACKSLASH) return from;
  }
}

/** Zero or more characters other than `stop`. */
export function upTo(stop: string): Scan {
  return (text, at, end) => {
    const to = text.indexOf(stop, at);
    return to < 0 || to > end ? end : to;
  };
}

/** One or more characters whose codes `accepts` allows. */
export function run(accepts: (code: number) => boolean): Scan {
  return (text, at, end) => {
    let to = at;
    while (to < end && accepts(text.charCodeAt(to))) to++;
    return to === at ? -1 : to;
  };
}

/** Limits a scanner to the first `count` characters. */
export function atMost(count: number, scan: Scan): Scan {
  return (text, at, end) => scan(text, at, Math.min(end, at + count));
}

/** The number that the digits of [from, to) make. */
export function integerIn(text: string, from: number, to: number): number {
  if (to - from > 15) return Number(text.slice(from, to));
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + text.charCodeAt(i) - ZERO;
  return value;
}

/** The number that [from, to) spells as digits, a dot, digits. */
export function decimalIn(text: string, from: number, to: number): number {
  if (to - from > 16) return Number(text.slice(from, to));
  let value = 0;
  let scale = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    scale *= 10;
    if (code === DOT) scale = 1;
    else value = value * 10 + code - ZERO;
  }
  return value / scale;
}

/** The number that the whole text is, as digits, perhaps with a sign, perhaps with a point and digits behind it; NaN for any other text. */
export function plainNumber(text: string): number {
  const end = text.length;
  const to = digits(text, 0, end);
  if (to < 0 || end > 16) return PLAIN_NUMBER.test(text) ? Number(text) : NaN;
  if (to === end) return integerIn(text, 0, end);
  return text.charCodeAt(to) === DOT && digits(text, to + 1, end) === end ? decimalIn(text, 0, end) : NaN;
}

/** The fraction that the digits of [from, to) make behind a point: `250` is 0.25. */
export function fractionIn(text: string, from: number, to: number): number {
  return to - from > 15 ? Number(`0.${text.slice(from, to)}`) : integerIn(text, from, to) / 10 ** (to - from);
}

/** Whether [from, to) is the single character `-`. */
export function isDash(text: string, from: number, to: number): boolean {
  return to - from === 1 && text.charCodeAt(from) === 45;
}

/** A line end: `\n`, `\r\n`, or at the end of the record `\r` or nothing, since splitters take line ends off. */
export function lineEnd(text: string, at: number, end: number): number {
  const next = at < end && text.charCodeAt(at) === CARRIAGE_RETURN ? at + 1 : at;
  if (next < end && text.charCodeAt(next) === NEWLINE) return next + 1;
  return next === end ? end : -1;
}

/** Zero or more characters up to a line end or the end of the record. */
export function upToLineEnd(text: string, at: number, end: number): number {
  const newline = text.indexOf('\n', at);
  const to = newline < 0 || newline > end ? end : newline;
  return to > at && text.charCodeAt(to - 1) === CARRIAGE_RETURN ? to - 1 : to;
}

/** The end of the record [start, end) without its line end. */
export function withoutLineEnd(text: string, start: number, end: number): number {
  if (end > start && text[end - 1] === '\n') end--;
  if (end > start && text[end - 1] === '\r') end--;
  // Some programs and devices end their texts with NUL.
  while (end > start && text.charCodeAt(end - 1) === 0) end--;
  return end;
}

/** The end of the current record without its line end, as `withoutLineEnd` finds it. */
export function recordEnd(span: PayloadSpan): number {
  const { start, units } = span;
  let { end } = span;
  if (units === null) return withoutLineEnd(span.text, start, end);
  if (end > start && units[end - 1] === NEWLINE) end--;
  if (end > start && units[end - 1] === CARRIAGE_RETURN) end--;
  while (end > start && units[end - 1] === 0) end--;
  return end;
}
