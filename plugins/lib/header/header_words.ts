/** Kinds of words in the headers of records. */
import { remembered } from '../../base/remembered.ts';
import { severityOfWord } from './severity.ts';

export interface WordKind {
  /** The severity that it means, or -1. */
  readonly severity: number;
  /** Three capital letters or more. */
  readonly isCapitals: boolean;
  /** Digits, perhaps behind a number sign. */
  readonly isNumber: boolean;
  readonly isHexadecimal: boolean;
  /** A file and a line: `main.go:12`, `Shop.java(7)`. */
  readonly isSource: boolean;
  /** A name of any kind. */
  readonly isName: boolean;
  /** A name with a point, colons, a slash or a digit in it, as modules and machines have, or in capitals. */
  readonly isModule: boolean;
  readonly isThread: boolean;
  /** No letter and no digit: `**`. */
  readonly isMark: boolean;
  /** The number of a process, `4123`, `#4123`, `pid 4123`, or -1. */
  readonly process: number;
}

const CAPITALS = /^[A-Z]{3,}$/;
const NUMBER = /^#?\d{1,10}$/;
const HEXADECIMAL = /^[\da-f]{8}$/;
const SOURCE = /^[\w./$-]*\.\w{1,5}(?::\d+|\(\d+\))$/;
const NAME = /^[A-Za-z_$][\w$.:/@#-]*$/;
const MODULE = /^[A-Za-z_$][\w$@-]*(?:(?:[.:/]|::)[\w$@-]+)+$|^[A-Za-z][\w-]*[\d_][\w-]*$|^[A-Z][A-Z\d_-]+$/;
const THREAD = /^main$|thread|pool|worker|exec|nio|[-#:=]\d+$|^\d|\s/i;
const MARK = /^[^\p{L}\d]+$/u;
/** Winston's and npm's level of that name is seldom meant by it. */
const PROTOCOL = /^http$/i;
const PROCESS = /^(?:pid[ :=]*|#)?(\d{1,10})$/i;

/** Longer words are of no kind: the expressions try too much on them. */
const LONGEST_WORD = 160;

const kindOfShort = remembered((word): WordKind => ({
  severity: PROTOCOL.test(word) ? -1 : severityOfWord(word),
  isCapitals: CAPITALS.test(word),
  isNumber: NUMBER.test(word),
  isHexadecimal: HEXADECIMAL.test(word),
  isSource: SOURCE.test(word),
  isName: NAME.test(word),
  isModule: MODULE.test(word),
  isThread: THREAD.test(word),
  isMark: MARK.test(word),
  process: Number(PROCESS.exec(word)?.[1] ?? -1),
}));
const NO_KIND = kindOfShort('');

/** Tells what a word, or a text in brackets, can be; looked up once for words that come again. */
export function kindOf(word: string): WordKind {
  return word.length > LONGEST_WORD ? NO_KIND : kindOfShort(word);
}

/** Whether a word is a level in capitals. */
export function isLevelName(word: string): boolean {
  const { severity, isCapitals } = kindOf(word);
  return severity >= 0 && isCapitals;
}

/** The same, or the letter of one. */
export function isLevelWord(word: string): boolean {
  return isLevelName(word) || (word.length === 1 && kindOf(word).severity >= 0);
}

/** MikroTik's topics, one of them a level: `system,error,critical`. */
const TOPICS = /[a-z][a-z\d-]{1,20}(?:,[a-z!][a-z\d-]{1,20}){1,6}(?= )/y;
const TOPIC_LEVELS: ReadonlyMap<string, number> = new Map([
  ['critical', 2],
  ['error', 3],
  ['warning', 4],
  ['info', 6],
  ['debug', 7],
]);
const NO_TOPICS = { length: 0, severity: -1 };

/** How long the topics at a place are, and the severest of their levels; 0 without a level. */
export function topicsAt(text: string, at: number): { readonly length: number; readonly severity: number } {
  TOPICS.lastIndex = at;
  const [topics] = TOPICS.exec(text) ?? [];
  const levels = (topics ?? '').split(',').map((topic) => TOPIC_LEVELS.get(topic) ?? Infinity);
  const severity = Math.min(...levels);
  return topics === undefined || severity === Infinity ? NO_TOPICS : { length: topics.length, severity };
}
