import type { Config } from '../../plugins/parameters.ts';
import type { Head } from './head.ts';

/** Parameters with which a decoder of a form may fit. */
export interface FormMatch {
  readonly config: Readonly<Config>;
  /** What it is tried with; the records as the decoder has them cut when absent. */
  readonly records?: readonly string[];
}

/** Looks at the form of a text. Returns the parameters that are worth a try, the likeliest first; none: it has another form. */
export type Form = (head: Head) => readonly FormMatch[];

/** The part of the lines that fit, 0 to 1. */
export function share(lines: readonly string[], fits: RegExp | ((line: string) => boolean)): number {
  const test = typeof fits === 'function' ? fits : (line: string) => fits.test(line);
  return lines.length === 0 ? 0 : lines.filter(test).length / lines.length;
}

/** The value that occurs most often, of those the first; null when there is none. */
export function mostFrequent(values: Iterable<string>): string | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: string | null = null;
  for (const [value, count] of counts) if (best === null || count > (counts.get(best) as number)) best = value;
  return best;
}

/** The part of the lines that must have a form of which lines of other logs are rarely mistaken. */
export const MOST = 0.6;
/** The part of the lines that must have a form that other texts have by chance. */
export const NEARLY_ALL = 0.95;
