/** Lines of logs as words, with what varies from line to line replaced by what it is. */

/** Words of a line that count; the rest of a longer line is one word. */
const MAX_WORDS = 128;
/** Characters of a line that count. */
const MAX_LENGTH = 4096;

const [ZERO, NINE] = [48, 57];
const NUMBER = '<num>';

/** The alternatives that `VARIABLE` finds, by number of its group. */
const NAMES = ['<uuid>', '<time>', '<time>', '<time>', '<ip>', '<mac>', '<ip>', '<hex>', NUMBER];
const VARIABLE = new RegExp(
  '(?<![\\w.])(?:' +
    [
      '([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})(?!\\w)',
      '(\\d{4}[-/]\\d{2}[-/]\\d{2}(?:[T:]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:Z|[-+]\\d{2}:?\\d{2})?)?)(?!\\w)',
      '(\\d{1,2}/[a-z]{3}/\\d{4}:\\d{2}:\\d{2}:\\d{2})(?!\\w)',
      '(\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?)(?![\\w:])',
      '(\\d{1,3}(?:\\.\\d{1,3}){3})(?![\\w.])',
      '((?:[\\da-f]{2}:){5,}[\\da-f]{2})(?![\\w:])',
      '((?:[\\da-f]{1,4}:){7}[\\da-f]{1,4}|(?:[\\da-f]{1,4}:){1,6}(?::[\\da-f]{1,4}){1,6}|(?:[\\da-f]{1,4}:){1,7}:)(?![\\w:])',
      '(0x[\\da-f]+|(?=\\d*[a-f])(?=[a-f]*\\d)[\\da-f]{8,})(?!\\w)',
      '([-+]?\\d+(?:[.,]\\d+)*)(?=[a-zµ%]{0,3}(?!\\w))',
    ].join('|') +
    ')',
  'gi',
);

/**
 * The words of a line, separated by white space; in words with digits numbers, addresses, times, UUIDs and hexadecimal numbers are replaced by
 * `<num>`, `<ip>`, `<mac>`, `<time>`, `<uuid>` and `<hex>`. Of a very long line only the beginning counts.
 */
export function logWords(line: string): string[] {
  const end = Math.min(line.length, MAX_LENGTH);
  const words: string[] = [];
  let start = -1;
  let digits = 0;
  for (let at = 0; at <= end; at++) {
    const code = at < end ? line.charCodeAt(at) : 32;
    if (code <= 32 && words.length < MAX_WORDS - 1) {
      if (start >= 0) words.push(wordOf(line, start, at, digits));
      start = -1;
      digits = 0;
      continue;
    }
    if (start < 0) start = at;
    if (code >= ZERO && code <= NINE) digits++;
  }
  if (start >= 0) words.push(wordOf(line, start, end, digits));
  return words;
}

function wordOf(line: string, start: number, end: number, digits: number): string {
  if (digits === 0) return line.slice(start, end);
  return digits === end - start ? NUMBER : line.slice(start, end).replace(VARIABLE, nameOf);
}

function nameOf(...groups: unknown[]): string {
  return NAMES.find((_, i) => groups[i + 1] !== undefined) as string;
}
