/** Levels that stand at the beginning of a text: `ERROR: …`, `[warn] …`, `<info> …`, `level=warn …`, also behind a date. */
import { severityOfWord } from './severity.ts';

const WORD = 'emerg|emergency|panic|alert|crit|critical|fatal|err|error|severe|warn|warning|notice|info|debug|trace';
const CAPITALS = WORD.toUpperCase();
const anyCase = (words: string): string => words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const DATE = String.raw`\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[.,\d]{0,10}(?:Z|[+-]\d\d:?\d\d)?\]?[ :]{1,3}`;
/** A word in brackets, a word with a colon, or a word in capitals alone; anything else may be part of a sentence. */
const LEVEL = new RegExp(
  String.raw`(?:${DATE})?(?:\[ ?(${anyCase(WORD)}) ?\]|<(${anyCase(WORD)})>|(${anyCase(WORD)}):|(${CAPITALS})(?=[ \t|-])|(?:time="?[^" ]{1,40}"? )?level="?(${anyCase(WORD)})\b)`,
  'y',
);

/** The severity of the level at the beginning of the text [from, to), or -1. */
export function severityInText(text: string, from: number, to: number): number {
  LEVEL.lastIndex = from;
  const found = LEVEL.exec(text);
  if (found === null || LEVEL.lastIndex > to) return -1;
  return severityOfWord(found[1] ?? found[2] ?? found[3] ?? found[4] ?? found[5] ?? '');
}
