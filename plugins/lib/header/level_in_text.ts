/**
 * Levels that stand at the beginning of a text: `ERROR: …`, `[warn] …`, `<info> …`, `level=warn …`, also behind a date; `E0305 13:07:59.250 …` of glog; and
 * the level of an object of JSON.
 *
 * First characters decide: a pattern of all these forms takes 25 ms to be compiled, and most texts have none of them.
 */
import { isDigit, isLetter } from '../../base/scan.ts';
import { COLOURS } from '../colours.ts';
import { PINO, SeverityScale, severityOfWord } from './severity.ts';

const WORDS: ReadonlySet<string> = new Set(
  'emerg emergency panic alert crit critical fatal ftl err error severe warn warning wrn notice info inf debug dbg trace trc vrb'.split(
    ' ',
  ),
);
/** Words that are levels with a colon behind them, of NestJS, .NET and others. */
const BEFORE_COLON: ReadonlySet<string> = new Set(['fail', 'dbug', 'trce']);
const TIME = String.raw`(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d[.,\d]{0,10}(?:Z|[+-]\d\d:?\d\d)?`;
/** A time, and what may stand behind it. */
const DATE = new RegExp(String.raw`\[?${TIME}\]?[ :]{1,3}`, 'y');
const TIME_INSIDE = new RegExp(`${TIME} `, 'y');
const THREAD = /\[[^\]\n]{1,60}\] {1,2}(?=[A-Z]{3})/y;
/** Signs and pictures: `✗ error`. */
const MARK = /(?:[\u2000-\u2bff\u{1f000}-\u{1fbff}]\ufe0f?){1,3} {1,3}/uy;
/** Solaris' `[ID 800047 auth.info]`. */
const NUMBERED = /\[ID \d{1,10} [a-z0-7]{2,10}\.([a-z]{3,9})\]/y;
/** Android's letter and tag. */
const TAGGED = /[VDIWEF]\/[A-Za-z][\w.]{0,60} {0,9}[(:]/y;
/** A channel of Monolog. */
const CHANNEL = /[\w-]{1,40}\.([A-Z]{3,9}):/y;
const PAIRS = /(?:time="?[^" ]{1,40}"? )?level="?([A-Za-z]{3,9})\b/y;
const GLOG = /[IWEF]\d{4} \d\d:\d\d:\d\d\./y;
const MEMBER = /"(?:level|severity|lvl|log\.level|levelname|LogLevel)" ?: ?(?:"([A-Za-z]{1,13})"|([1-6]0)\b)/;

/** Characters of an object in which its level is looked for. */
const FARTHEST = 1000;
const LONGEST_WORD = 40;
/** Dashes, signs, arrows and pictures, and halves of characters beyond them. */
const FIRST_MARK = 0x2000;
const FIRST_SMALL = 97;
const [ESCAPE_CODE, BRACE, OPEN, OPEN_ROUND, PIPE, LESS, GREATER] = [27, 123, 91, 40, 124, 60, 62];
const [TAB, BLANK, DASH, DOT, SLASH, COLON, EQUALS, CLOSE, CLOSE_ROUND, UNDERSCORE] = [9, 32, 45, 46, 47, 58, 61, 93, 41, 95];
const NONE = -1;
const pino = new SeverityScale(PINO);

/** The severity of the level at the beginning of the text [from, to), or -1. */
export function severityInText(text: string, from: number, to: number): number {
  const code = text.charCodeAt(from);
  if (code === ESCAPE_CODE) {
    const plain = text.slice(from, Math.min(to, from + FARTHEST)).replace(COLOURS, '');
    return severityInText(plain, 0, plain.length);
  }
  if (code === BRACE) return severityInObject(text.slice(from, Math.min(to, from + FARTHEST)));
  if (isLetter(code) && isDigit(text.charCodeAt(from + 1)) && endOf(GLOG, text, from, to) > 0) return severityOfWord(text.charAt(from));
  if (isDigit(code) || (code === OPEN && isDigit(text.charCodeAt(from + 1)))) {
    const behind = endOf(DATE, text, from, to);
    const severity = behind < 0 ? NONE : behindDate(text, behind, to);
    if (severity >= 0) return severity;
  }
  return behindDate(text, from, to);
}

/** The end of a sticky pattern at `at`; -1: the text does not have it there, or not up to `to`. */
function endOf(pattern: RegExp, text: string, at: number, to: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) && pattern.lastIndex <= to ? pattern.lastIndex : NONE;
}

/** The level at `at`, perhaps behind a thread or a mark. */
function behindDate(text: string, at: number, to: number): number {
  const code = text.charCodeAt(at);
  const before = code === OPEN ? THREAD : code >= FIRST_MARK ? MARK : null;
  const behind = before === null ? NONE : endOf(before, text, at, to);
  const severity = behind < 0 ? NONE : levelAt(text, behind, to);
  return severity < 0 ? levelAt(text, at, to) : severity;
}

function levelAt(text: string, at: number, to: number): number {
  const code = text.charCodeAt(at);
  if (isLetter(code)) return atLetter(text, at, to);
  if (code === OPEN || code === OPEN_ROUND || code === PIPE) return inBrackets(text, at, to);
  if (code === LESS) {
    const end = lettersEnd(text, at + 1, to);
    return text.charCodeAt(end) === GREATER ? levelOf(text.slice(at + 1, end)) : NONE;
  }
  return isDigit(code) || code === DASH || code === UNDERSCORE ? captured(CHANNEL, text, at, to) : NONE;
}

/** `[warn]`, `(error)`, `| INFO |`, `[12:00:01 warn]`, and letters alone in square brackets. */
function inBrackets(text: string, at: number, to: number): number {
  const inside = isDigit(text.charCodeAt(at + 1)) ? endOf(TIME_INSIDE, text, at + 1, to) : NONE;
  const from = blanksEnd(text, inside < 0 ? at + 1 : inside);
  const end = lettersEnd(text, from, to);
  const close = blanksEnd(text, end);
  const code = text.charCodeAt(close);
  if (end > from && close < to && (code === CLOSE || code === CLOSE_ROUND || code === PIPE)) {
    const word = text.slice(from, end);
    if (word.length > 1) return levelOf(word);
    const isAlone = from === at + 1 && close === end && code === CLOSE && text.charCodeAt(at) === OPEN;
    return isAlone && text.charCodeAt(close + 1) === BLANK && 'DIWEFC'.includes(word) ? severityOfWord(word) : NONE;
  }
  return text.startsWith('[ID ', at) ? captured(NUMBERED, text, at, to) : NONE;
}

/** A word with a colon, a word in capitals alone, a letter and a tag, a channel, or pairs; anything else may be part of a sentence. */
function atLetter(text: string, at: number, to: number): number {
  const end = lettersEnd(text, at, to);
  const next = end < to ? text.charCodeAt(end) : NONE;
  switch (next) {
    case COLON:
      if (end === at + 1) return isApt(text, at) ? severityOfWord(text.charAt(at)) : NONE;
      return beforeColon(text.slice(at, end));
    case BLANK:
      if (text.startsWith('PHP ', at)) return phpLevel(text, at + 4, to);
      if (text.startsWith('error:', end + 1) && end + 7 <= to) return beforeColon(text.slice(at, end));
      return capitals(text, at, end);
    case TAB:
    case PIPE:
      return capitals(text, at, end);
    case SLASH:
      return end === at + 1 && endOf(TAGGED, text, at, to) > 0 ? severityOfWord(text.charAt(at)) : NONE;
    case EQUALS:
      return captured(PAIRS, text, at, to);
    case DASH: {
      const channel = captured(CHANNEL, text, at, to);
      return channel < 0 ? capitals(text, at, end) : channel;
    }
    default:
      return next === DOT || next === UNDERSCORE || isDigit(next) ? captured(CHANNEL, text, at, to) : NONE;
  }
}

/** `E: …` and `W: …` of apt. */
const isApt = (text: string, at: number): boolean => text.startsWith('E: ', at) || text.startsWith('W: ', at);

const beforeColon = (word: string): number => (BEFORE_COLON.has(word) ? severityOfWord(word) : levelOf(word));

/** `PHP Warning: `, `PHP Parse error: `. */
function phpLevel(text: string, at: number, to: number): number {
  const end = lettersEnd(text, at, to);
  return text.startsWith(' error:', end) || text.charCodeAt(end) === COLON ? beforeColon(text.slice(at, end)) : NONE;
}

/** The severity of the level that a sticky pattern finds. */
function captured(pattern: RegExp, text: string, at: number, to: number): number {
  pattern.lastIndex = at;
  const word = pattern.exec(text)?.[1];
  return word === undefined || pattern.lastIndex > to ? NONE : levelOf(word);
}

const levelOf = (word: string): number => (WORDS.has(word.toLowerCase()) ? severityOfWord(word) : NONE);

/** The level of a word [at, end) in capitals. */
function capitals(text: string, at: number, end: number): number {
  // Most words have a small second letter.
  if (end - at < 3 || text.charCodeAt(at + 1) >= FIRST_SMALL) return NONE;
  const word = text.slice(at, end);
  return word.toUpperCase() === word ? levelOf(word) : NONE;
}

/** The end of a run of letters. */
function lettersEnd(text: string, at: number, to: number): number {
  const last = Math.min(to, at + LONGEST_WORD);
  while (at < last && isLetter(text.charCodeAt(at))) at++;
  return at;
}

/** The end of at most two blanks. */
function blanksEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== BLANK) return at;
  return text.charCodeAt(at + 1) === BLANK ? at + 2 : at + 1;
}

function severityInObject(text: string): number {
  const [, word, number] = MEMBER.exec(text) ?? [];
  return word === undefined ? pino.severityOf(Number(number)) : severityOfWord(word);
}
