/** Kinds of words in the headers of records. */
import { remembered } from '../base/remembered.ts';
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
