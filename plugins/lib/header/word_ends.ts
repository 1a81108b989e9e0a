/** Ends of the words of a header. */
import { isLetter } from '../../base/scan.ts';
import { isLevelName } from './header_words.ts';

const [TAB, SPACE, COMMA, COLON, GREATER, OPEN, CLOSE, PIPE, SEMICOLON] = [9, 32, 44, 58, 62, 91, 93, 124, 59];

export function isGap(code: number): boolean {
  return code === SPACE || code === TAB || Number.isNaN(code);
}

/** The position after the word at `at`. */
export function wordEnd(text: string, at: number, end: number): number {
  let to = at;
  for (; to < end; to++) {
    const code = text.charCodeAt(to);
    if (code === SPACE || code === TAB || code === PIPE || code === OPEN || code === COMMA || code === CLOSE) break;
    if (code === GREATER && isGap(text.charCodeAt(to + 1))) break;
    if (code === SEMICOLON && isLevelBefore(text, at, to)) break;
    if (code !== COLON) continue;
    const next = text.charCodeAt(to + 1);
    if (to + 1 >= end || isGap(next) || isLevelBefore(text, at, to)) break;
  }
  return to;
}

/** The position after the word at `at`, up to any colon. */
export function packedEnd(text: string, at: number, end: number): number {
  const to = wordEnd(text, at, end);
  const colon = text.indexOf(':', at);
  return colon >= 0 && colon < to ? colon : to;
}

/** Whether [at, to) is a level in capitals: `ERROR:root:x`. */
function isLevelBefore(text: string, at: number, to: number): boolean {
  return to - at >= 3 && to - at <= 9 && isLetter(text.charCodeAt(at)) && isLevelName(text.slice(at, to));
}
