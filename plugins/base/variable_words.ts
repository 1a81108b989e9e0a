/**
 * Words of log lines with what varies in them replaced by what it is: numbers, addresses, times, UUIDs and hexadecimal numbers become `<num>`,
 * `<ip>`, `<mac>`, `<time>`, `<uuid>` and `<hex>`.
 *
 * Most words with digits hold numbers and IPv4 addresses alone; these are gone through by hand. The others, which have a mark where a time or
 * the like has one, are left to a regular expression that knows all.
 */

const NUMBER = '<num>';
const HEX = '<hex>';
const ADDRESS = '<ip>';

const UUID_FORM = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}(?!\\w)';
const DATE_FORM = '\\d{4}[-/]\\d{2}[-/]\\d{2}(?:[T:]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:Z|[-+]\\d{2}:?\\d{2})?)?(?!\\w)';
const LOG_DATE_FORM = '\\d{1,2}/[a-z]{3}/\\d{4}:\\d{2}:\\d{2}:\\d{2}(?!\\w)';
const TIME_FORM = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?![\\w:])';
/** Four numbers behind a name and a slash that end in zeros are the version of a browser: `Chrome/130.0.0.0`. */
const VERSION_FORM = '(?<=[a-z]/)\\d{1,3}\\.\\d{1,3}\\.0\\.0(?![\\w.])';
const IPV4_FORM = `(?!${VERSION_FORM})` + '\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.])';
const MAC_FORM = '(?:[\\da-f]{2}:){5,}[\\da-f]{2}(?![\\w:])';
const IPV6_FORM =
  '(?:(?:[\\da-f]{1,4}:){7}[\\da-f]{1,4}|(?:[\\da-f]{1,4}:){1,6}(?::[\\da-f]{1,4}){1,6}|(?:[\\da-f]{1,4}:){1,7}:)(?![\\w:])';
const HEX_FORM = '(?:0x[\\da-f]+|(?=\\d*[a-f])(?=[a-f]*\\d)[\\da-f]{8,})(?!\\w)';
const NUMBER_FORM = '[-+]?\\d+(?:[.,]\\d+)*(?=[a-zµ%]{0,3}(?!\\w))';

/** Patterns of variable parts, each in a group of its own. Numbers have no group. */
const FORMS = [UUID_FORM, `${DATE_FORM}|${LOG_DATE_FORM}|${TIME_FORM}`, IPV4_FORM, MAC_FORM, IPV6_FORM, HEX_FORM].map(
  (form) => `(${form})`,
);
const NAMES = ['<uuid>', '<time>', ADDRESS, '<mac>', ADDRESS, HEX];
/** Tried in this order where something variable can begin. */
const VARIABLE = new RegExp(`(?<![\\w.])(?=[\\da-f+-])(?:${FORMS.join('|')}|${NUMBER_FORM})`, 'gi');

/** Character classes, as bits. */
const [DIGIT, HEX_LETTER, LETTER, UNDERSCORE, SIGN, POINT, COMMA, UNIT] = [1, 2, 4, 8, 16, 32, 64, 128];
const WORD = DIGIT | HEX_LETTER | LETTER | UNDERSCORE;

const KINDS = kindsOfCharacters();

function kindsOfCharacters(): Uint8Array {
  const kinds = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code);
    if (/\d/.test(character)) kinds[code] = DIGIT;
    else if (/[a-f]/i.test(character)) kinds[code] = HEX_LETTER | UNIT;
    else if (/[a-z]/i.test(character)) kinds[code] = LETTER | UNIT;
  }
  const others: [character: string, kind: number][] = [
    ['_', UNDERSCORE],
    ['+', SIGN],
    ['-', SIGN],
    ['.', POINT],
    [',', COMMA],
    ['%', UNIT],
  ];
  for (const [character, kind] of others) kinds[character.charCodeAt(0)] = kind;
  return kinds;
}

/** `µ` in its three forms. */
const MICRO: readonly number[] = [0xb5, 0x39c, 0x3bc];

function kindAt(word: string, at: number): number {
  if (at >= word.length) return 0;
  const code = word.charCodeAt(at);
  if (code < 128) return KINDS[code] as number;
  return MICRO.includes(code) ? UNIT : 0;
}

/** A word that has a digit, with what varies in it replaced. `marked`: a mark in it may be one of a time, hardware address or the like. */
export function maskWord(word: string, marked: boolean): string {
  return marked ? maskAll(word) : maskNumbers(word);
}

/** Masks a word with the regular expression alone. */
function maskAll(word: string): string {
  let text = '';
  let from = 0;
  VARIABLE.lastIndex = 0;
  for (let match = VARIABLE.exec(word); match !== null; match = VARIABLE.exec(word)) {
    text += word.slice(from, match.index) + nameOf(match);
    from = VARIABLE.lastIndex;
  }
  return from === 0 ? word : text + word.slice(from);
}

function nameOf(match: RegExpExecArray): string {
  for (let group = 1; group <= NAMES.length; group++) if (match[group] !== undefined) return NAMES[group - 1] as string;
  return NUMBER;
}

/** The end of the variable part that was found last. */
let found = 0;

/** Masks a word that can contain only IPv4 addresses and hexadecimal or decimal numbers. */
function maskNumbers(word: string): string {
  let text = '';
  let from = 0;
  let before = 0;
  for (let at = 0; at < word.length; at++) {
    const kind = kindAt(word, at);
    if ((kind & (DIGIT | HEX_LETTER | SIGN)) !== 0 && (before & (WORD | POINT)) === 0) {
      const name = variableAt(word, at, kind);
      if (name !== '') {
        text += word.slice(from, at) + name;
        from = found;
        at = found - 1;
        before = kindAt(word, at);
        continue;
      }
    }
    before = kind;
  }
  return from === 0 ? word : text + word.slice(from);
}

/** The name of the variable part that begins at `at`, whose end goes to `found`; empty when there is none. */
function variableAt(word: string, at: number, kind: number): string {
  if (kind === DIGIT && isAddress(word, at)) return ADDRESS;
  if (kind !== SIGN && isHex(word, at)) return HEX;
  return kind !== (HEX_LETTER | UNIT) && isNumber(word, at) ? NUMBER : '';
}

function isAddress(word: string, start: number): boolean {
  let at = start;
  for (let part = 0; part < 4; part++) {
    if (part > 0 && kindAt(word, at++) !== POINT) return false;
    const end = runOf(word, at, DIGIT);
    if (end === at || end > at + 3) return false;
    at = end;
  }
  found = at;
  return (kindAt(word, at) & (WORD | POINT)) === 0 && !isVersion(word, start, at);
}

/** Whether an address is the version of a browser. */
function isVersion(word: string, start: number, end: number): boolean {
  return word[start - 1] === '/' && (kindAt(word, start - 2) & (HEX_LETTER | LETTER)) !== 0 && word.endsWith('.0.0', end);
}

function isHex(word: string, start: number): boolean {
  const prefixed = word[start] === '0' && (word[start + 1] === 'x' || word[start + 1] === 'X');
  const from = prefixed ? start + 2 : start;
  found = runOf(word, from, DIGIT | HEX_LETTER);
  if (prefixed ? found === from : found < from + 8 || !isMixed(word, from, found)) return false;
  return (kindAt(word, found) & WORD) === 0;
}

/** Whether digits and letters follow each other. */
function isMixed(word: string, start: number, end: number): boolean {
  const letters = kindAt(word, start) !== DIGIT;
  return runOf(word, start, letters ? HEX_LETTER : DIGIT) < end;
}

function isNumber(word: string, start: number): boolean {
  let at = kindAt(word, start) === SIGN ? start + 1 : start;
  let end = runOf(word, at, DIGIT);
  if (end === at) return false;
  found = -1;
  for (;;) {
    if (isEnd(word, end)) found = end;
    at = end;
    if ((kindAt(word, at) & (POINT | COMMA)) === 0) break;
    end = runOf(word, at + 1, DIGIT);
    if (end === at + 1) break;
  }
  return found >= 0;
}

/** Whether a number can end here: a unit of at most three characters may follow it, and then no letter, digit or underscore. */
function isEnd(word: string, end: number): boolean {
  let at = end;
  for (; (kindAt(word, at) & WORD) !== 0; at++) if (at === end + 3 || (kindAt(word, at) & UNIT) === 0) return false;
  return true;
}

/** The end of the characters of this kind. */
function runOf(word: string, start: number, kind: number): number {
  let at = start;
  while ((kindAt(word, at) & kind) !== 0) at++;
  return at;
}
