/** Lines of logs as words, with what varies from line to line replaced by what it is. */

/** Words of a line that count; the rest of a longer line is one word. */
const MAX_WORDS = 128;
/** Characters of a line that count. */
export const MAX_LENGTH = 2048;

const [ZERO, NINE] = [48, 57];
/** The characters `-`, `/` and `:`, without which a word holds no time, hardware address or the like. */
const [DASH, SLASH, COLON] = [45, 47, 58];
const NUMBER = '<num>';

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}(?!\\w)';
const DATE = '\\d{4}[-/]\\d{2}[-/]\\d{2}(?:[T:]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:Z|[-+]\\d{2}:?\\d{2})?)?(?!\\w)';
const LOG_DATE = '\\d{1,2}/[a-z]{3}/\\d{4}:\\d{2}:\\d{2}:\\d{2}(?!\\w)';
const TIME = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?![\\w:])';
const IPV4 = '\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.])';
const MAC = '(?:[\\da-f]{2}:){5,}[\\da-f]{2}(?![\\w:])';
const IPV6 = '(?:(?:[\\da-f]{1,4}:){7}[\\da-f]{1,4}|(?:[\\da-f]{1,4}:){1,6}(?::[\\da-f]{1,4}){1,6}|(?:[\\da-f]{1,4}:){1,7}:)(?![\\w:])';
const HEX = '(?:0x[\\da-f]+|(?=\\d*[a-f])(?=[a-f]*\\d)[\\da-f]{8,})(?!\\w)';
const DECIMAL = '[-+]?\\d+(?:[.,]\\d+)*(?=[a-zµ%]{0,3}(?!\\w))';

/** What varies in a word. */
const VARIABLE = alternatives(UUID, DATE, LOG_DATE, TIME, IPV4, MAC, IPV6, HEX, DECIMAL);
/** The same for a word without any of the marks. */
const SIMPLE_VARIABLE = alternatives(IPV4, HEX, DECIMAL);

/** The patterns as groups, tried in order where a variable can begin. */
function alternatives(...patterns: string[]): RegExp {
  return new RegExp(`(?<![\\w.])(?=[\\da-f+-])(?:${patterns.map((pattern) => `(${pattern})`).join('|')})`, 'gi');
}

type Group = string | undefined;

/** Called for each variable: parameters of their own are three times as fast as a list of groups. */
function nameOf(
  _word: string,
  uuid: Group,
  date: Group,
  logDate: Group,
  time: Group,
  ipv4: Group,
  mac: Group,
  ipv6: Group,
  hex: Group,
): string {
  if (uuid !== undefined) return '<uuid>';
  if ((date ?? logDate ?? time) !== undefined) return '<time>';
  if (mac !== undefined) return '<mac>';
  if ((ipv4 ?? ipv6) !== undefined) return '<ip>';
  return hex === undefined ? NUMBER : '<hex>';
}

function simpleNameOf(_word: string, ipv4: Group, hex: Group): string {
  return ipv4 !== undefined ? '<ip>' : hex === undefined ? NUMBER : '<hex>';
}

/**
 * The words of a line, separated by white space; in words with digits numbers, addresses, times, UUIDs and hexadecimal numbers are replaced by
 * `<num>`, `<ip>`, `<mac>`, `<time>`, `<uuid>` and `<hex>`. Of a very long line only the beginning counts.
 */
export function logWords(line: string): string[] {
  const end = Math.min(line.length, MAX_LENGTH);
  const words: string[] = [];
  let start = -1;
  let digits = 0;
  let marks = 0;
  for (let at = 0; at <= end; at++) {
    const code = at < end ? line.charCodeAt(at) : 32;
    if (code <= 32 && words.length < MAX_WORDS - 1) {
      if (start >= 0) words.push(wordOf(line.slice(start, at), digits, marks));
      start = -1;
      digits = marks = 0;
      continue;
    }
    if (start < 0) start = at;
    if (code >= ZERO && code <= NINE) digits++;
    else if (code === DASH || code === SLASH || code === COLON) marks++;
  }
  if (start >= 0) words.push(wordOf(line.slice(start, end), digits, marks));
  return words;
}

function wordOf(word: string, digits: number, marks: number): string {
  if (digits === 0) return word;
  if (digits === word.length) return NUMBER;
  return marks === 0 ? word.replace(SIMPLE_VARIABLE, simpleNameOf) : word.replace(VARIABLE, nameOf);
}
