import type { Config } from '../../plugins/parameters.ts';
import type { Head } from './head.ts';

/** Parameters with which the decoder of a form may fit. */
export interface FormMatch {
  readonly config: Readonly<Config>;
  /** Records to try it with; absent: those that the decoder's own cutting yields. */
  readonly records?: readonly string[];
}

/** Recognises a form of text. Returns the parameters worth a try, the likeliest first; none for another form. */
export type Form = (head: Head) => readonly FormMatch[];

/** Share of the lines that fit, 0 to 1. */
export function share(lines: readonly string[], fits: RegExp | ((line: string) => boolean)): number {
  const test = typeof fits === 'function' ? fits : (line: string) => fits.test(line);
  return lines.length === 0 ? 0 : lines.filter(test).length / lines.length;
}

/** Returns the most frequent value, the first of several; null when there is none. */
export function mostFrequent(values: Iterable<string>): string | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: string | null = null;
  for (const [value, count] of counts) if (best === null || count > (counts.get(best) as number)) best = value;
  return best;
}

/** Required share of lines for a form that other logs rarely have. */
export const MOST = 0.6;
/** Required share of lines for a form that other texts may have by chance. */
export const NEARLY_ALL = 0.95;
