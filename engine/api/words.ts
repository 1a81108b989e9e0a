const WORD = /[\p{L}\p{N}_]/u;

/**
 * Whether the piece [start, end) of a text is not a part of a longer word: beside a letter, digit or underscore at its edge stands none. An edge that is no such
 * character is always one.
 */
export function isWholeWord(text: string, start: number, end: number): boolean {
  return !continues(text, start) && !continues(text, end);
}

/** Whether a word goes on across a position. */
function continues(text: string, at: number): boolean {
  return WORD.test(characterBefore(text, at)) && WORD.test(characterAt(text, at));
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return '';
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low < 0xe000 && at > 1 ? characterAt(text, at - 2) : text.charAt(at - 1);
}
