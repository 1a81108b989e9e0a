const WORD = /[\p{L}\p{N}_]/u;

/**
 * Whether the piece [start, end) of a text is not a part of a longer word: beside a letter, digit or underscore at its edge stands none. An edge that is no such
 * character is always one.
 */
export function isWholeWord(text: string, start: number, end: number): boolean {
  return !continues(text, start) && !continues(text, end);
}

/** Letters, digits and underscore, as a part of a set in an expression. */
const WORD_SETS = { ascii: '0-9A-Za-z_', unicode: String.raw`\p{L}\p{N}_` } as const;

/** Whether a text has characters beyond ASCII. */
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Which form of `wholeWordRegex` is for a text. */
export const wordsIn = (text: string): keyof typeof WORD_SETS => (BEYOND_ASCII.test(text) ? 'unicode' : 'ascii');

/**
 * The expression, as its first group, where it is not a part of a longer word. RE2 has no look-around, and its `\b` is by ASCII: so what stands beside it is taken, too. Beyond
 * ASCII, no letter, digit or underscore may stand there even if the edge is none.
 */
export function wholeWordRegex(expression: string, words: keyof typeof WORD_SETS): string {
  const beside = `[^${WORD_SETS[words]}]${words === 'ascii' ? String.raw`|\b` : ''}`;
  return `(?:^|${beside})(${expression})(?:$|${beside})`;
}

/** The text in the form in which texts are compared without regard to case. A small sigma at the end of a word is one like others. */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

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
