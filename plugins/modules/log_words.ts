/** Lines of logs as words. Words that vary from line to line, such as numbers, are replaced by placeholders. */
import { checkString } from '../base/arguments.ts';
import { maskWord } from '../base/variable_words.ts';

/** Words of a line that count; the rest of a longer line is one word. */
const MAX_WORDS = 128;
/** Characters of a line that count. */
export const MAX_LENGTH = 2048;

const [ZERO, NINE] = [48, 57];
/** The characters `-`, `/` and `:`. */
const [DASH, SLASH, COLON] = [45, 47, 58];

/**
 * The words of a line, separated by white space. In words with digits, numbers, addresses, times, UUIDs and hexadecimal numbers are replaced by
 * `<num>`, `<ip>`, `<mac>`, `<time>`, `<uuid>` and `<hex>`. Only the first `MAX_LENGTH` characters of a line are used.
 */
export function logWords(line: string): string[] {
  checkString('logWords', 1, line);
  const end = Math.min(line.length, MAX_LENGTH);
  const words: string[] = [];
  let start = -1;
  let digits = 0;
  let marked = false;
  for (let at = 0; at <= end; at++) {
    const code = at < end ? line.charCodeAt(at) : 32;
    if (code <= 32 && words.length < MAX_WORDS - 1) {
      if (start >= 0) words.push(wordOf(line.slice(start, at), digits, marked));
      start = -1;
      digits = 0;
      marked = false;
      continue;
    }
    if (start < 0) start = at;
    if (code <= COLON && code >= DASH) {
      if (code >= ZERO && code <= NINE) digits++;
      else marked ||= isMark(code, line, at);
    }
  }
  if (start >= 0) words.push(wordOf(line.slice(start, end), digits, marked));
  return words;
}

/** Whether a time, an address of an interface or the like can have this mark here. */
function isMark(code: number, line: string, at: number): boolean {
  if (code === COLON) return line.charCodeAt(at + 1) === COLON || isHexDigit(line.charCodeAt(at + 1));
  return (code === DASH || code === SLASH) && isHexDigit(line.charCodeAt(at - 1));
}

function isHexDigit(code: number): boolean {
  const letter = code | 32;
  return (code >= ZERO && code <= NINE) || (letter >= 97 && letter <= 102);
}

function wordOf(word: string, digits: number, marked: boolean): string {
  if (digits === 0) return word;
  return digits === word.length ? '<num>' : maskWord(word, marked);
}
