import type { PatternLine } from '../../../../engine/api/types.ts';
import { byMatcher, type FilterTerm } from '../../lib/filter/filter.ts';
import { spokenName } from '../../lib/filter/variable.ts';
import type { PatternState } from '../../state/patterns.svelte.ts';

/** Number of steps from the beginning of the lines to their end; 0 chooses no time. */
export const STEPS = 100;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The time of a step; null: none. */
export function timeOfStep(step: number, { from, to }: Span): number | null {
  return step === 0 ? null : from + ((to - from) * step) / STEPS;
}

/** The step of a time, also of one outside of the lines. */
export function stepOfTime(time: number | null, { from, to }: Span): number {
  if (time === null) return 0;
  return Math.min(STEPS, Math.max(1, Math.round((STEPS * (time - from)) / Math.max(1, to - from))));
}

/** @param since milliseconds; null: nothing is asked */
export function stateOf({ first, last }: Pick<PatternLine, 'first' | 'last'>, since: number | null): PatternState {
  if (since === null) return 'known';
  return first >= since ? 'new' : last < since ? 'gone' : 'known';
}

const PLACEHOLDER = /<(?:\*|num|ip|mac|time|uuid|hex)>/;
/** Expressions for the words that a placeholder stands for; a line may have the placeholder itself as well. */
const VARIABLE: Readonly<Record<string, string>> = {
  '<num>': String.raw`[-+]?\d+(?:[.,]\d+)*`,
  '<hex>': '(?:0x)?[0-9a-fA-F]+',
  '<ip>': '[0-9a-fA-F.:]+',
  '<mac>': '[0-9a-fA-F:]+',
  '<uuid>': '[0-9a-fA-F-]+',
  '<time>': String.raw`[0-9A-Za-z:.,\/+-]+`,
};
/** Words of a line that are told apart; what follows is one word. */
const MOST_WORDS = 128;
/** Texts of about this length are beginnings of longer ones. */
const CUT_LENGTH = 1900;
/** As the patterns are made: words are separated by blanks and controls. */
const [GAP, WORD] = ['[\\x00-\\x20]+', '[^\\x00-\\x20]+'];

/** The source of an expression that matches the lines of a pattern. */
export function patternSource(text: string): string {
  const words = text.split(' ');
  const source = words.map((word) => pieces(word).map(sourceOf).join('')).join(GAP);
  const isCut = words.length >= MOST_WORDS || text.length >= CUT_LENGTH;
  return `^[\\x00-\\x20]*${source}${isCut ? '' : '[\\x00-\\x20]*$'}`;
}

/** The condition for the messages with such a payload, or with such a value of a variable. */
export const patternCondition = (text: string, variable = 'Payload'): string => `${variable} =~ /${patternSource(text)}/`;

/** The filter that finds the records of a pattern. */
export function patternTerm({ text, variable }: Pick<PatternLine, 'text' | 'variable'>): FilterTerm {
  if (variable === null) return { kind: 'regex', text: patternSource(text), label: text, caseSensitive: false, out: false };
  return byMatcher(variable === 'Payload' ? text : `${spokenName(variable)}: ${text}`, patternCondition(text, variable));
}

function sourceOf({ text, varies }: Piece): string {
  if (!varies) return escaped(text);
  const form = VARIABLE[text];
  return form === undefined ? WORD : `(?:${text}|${form})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\p{Cc}+/gu, GAP);
}

interface Piece {
  readonly text: string;
  readonly varies: boolean;
}

/** A pattern in pieces: words, and what stands for others. */
export function pieces(text: string): Piece[] {
  return text
    .split(new RegExp(`(${PLACEHOLDER.source})`))
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, varies: PLACEHOLDER.test(piece) }));
}
