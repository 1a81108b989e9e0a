/**
 * Levels that stand at the beginning of a text: `ERROR: …`, `[warn] …`, `<info> …`, `level=warn …`, also behind a date; `E0305 13:07:59.250 …` of glog; and
 * the level of an object of JSON.
 */
import { isDigit } from '../../base/scan.ts';
import { COLOURS } from '../colours.ts';
import { PINO, SeverityScale, severityOfWord } from './severity.ts';

const WORD =
  'emerg|emergency|panic|alert|crit|critical|fatal|ftl|err|error|severe|warn|warning|wrn|notice|info|inf|debug|dbg|trace|trc|vrb';
const CAPITALS = WORD.toUpperCase();
const anyCase = (words: string): string => words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const TIME = String.raw`(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d[.,\d]{0,10}(?:Z|[+-]\d\d:?\d\d)?`;
/** A time, and what may stand behind it. */
const DATE = String.raw`\[?${TIME}\]?[ :]{1,3}`;
const THREAD = String.raw`\[[^\]\n]{1,60}\] {1,2}(?=[A-Z]{3})`;
/** Signs and pictures: `✗ error`. */
const MARK = String.raw`[\u2000-\u2bff\ufe0f\ud83c-\ud83e\udc00-\udfff]{1,3} {1,3}`;
/** A word in brackets, a word with a colon, a word in capitals alone, or Solaris' `[ID 800047 auth.info]`; anything else may be part of a sentence. */
const LEVEL = new RegExp(
  String.raw`(?:${DATE})?(?:${THREAD}|${MARK})?(?:[[(|](?:${TIME} )? {0,2}(${anyCase(WORD)}) {0,2}[\])|]|\[([DIWEFC])\](?= )|([EW]): |([VDIWEF])\/[A-Za-z][\w.]{0,60} {0,9}[(:]|[\w-]{1,40}\.(${CAPITALS}):|<(${anyCase(WORD)})>|(?:PHP )?(${anyCase(WORD)}|fail|dbug|trce)(?: error)?:|(${CAPITALS})(?=[ \t|-])|(?:time="?[^" ]{1,40}"? )?level="?(${anyCase(WORD)})\b|\[ID \d{1,10} [a-z0-7]{2,10}\.(${WORD})\])`,
  'y',
);

const GLOG = /([IWEF])\d{4} \d\d:\d\d:\d\d\./y;
const MEMBER = /"(?:level|severity|lvl|log\.level|levelname|LogLevel)" ?: ?(?:"([A-Za-z]{1,13})"|([1-6]0)\b)/;
/** Characters of an object in which its level is looked for. */
const FARTHEST = 1000;
const [ESCAPE_CODE, BRACE] = [27, 123];
const pino = new SeverityScale(PINO);

/** The severity of the level at the beginning of the text [from, to), or -1. */
export function severityInText(text: string, from: number, to: number): number {
  if (text.charCodeAt(from) === ESCAPE_CODE) {
    const plain = text.slice(from, Math.min(to, from + FARTHEST)).replace(COLOURS, '');
    return severityInText(plain, 0, plain.length);
  }
  if (text.charCodeAt(from) === BRACE) return severityInObject(text.slice(from, Math.min(to, from + FARTHEST)));
  if (isDigit(text.charCodeAt(from + 1))) {
    GLOG.lastIndex = from;
    const level = GLOG.exec(text)?.[1];
    if (level !== undefined && GLOG.lastIndex <= to) return severityOfWord(level);
  }
  LEVEL.lastIndex = from;
  const found = LEVEL.exec(text);
  if (found === null || LEVEL.lastIndex > to) return -1;
  return severityOfWord(found.find((level, group) => group > 0 && level !== undefined) ?? '');
}

function severityInObject(text: string): number {
  const [, word, number] = MEMBER.exec(text) ?? [];
  return word === undefined ? pino.severityOf(Number(number)) : severityOfWord(word);
}
