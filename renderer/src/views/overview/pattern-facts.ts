import { patternCondition, patternSource } from '../../../../engine/api/filter/pattern-source.ts';
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

/** The filter that finds the records of a pattern. */
export function patternTerm({ text, variable }: Pick<PatternLine, 'text' | 'variable'>): FilterTerm {
  if (variable === null) return { kind: 'regex', text: patternSource(text), label: text, caseSensitive: false, out: false };
  return byMatcher(variable === 'Payload' ? text : `${spokenName(variable)}: ${text}`, patternCondition(text, variable));
}
