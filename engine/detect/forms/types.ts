import { cutPieces } from '../../inputs/pieces.ts';
import { makeSplitter, type SplitOptions } from '../../inputs/splitters/index.ts';
import { initialState } from '../../inputs/splitters/types.ts';
import type { Config } from '../../plugins/parameters.ts';

/** A decoder that may fit, with its parameters. */
export interface DecoderCandidate {
  readonly name: string;
  readonly config: Readonly<Config>;
  /** How the source has to be cut into records for it; by lines when absent. */
  readonly split?: SplitOptions;
  /** What it is tried with; the sample's lines when absent. */
  readonly records?: readonly string[];
}

/** The beginning of a source. */
export interface Head {
  readonly text: string;
  /** Some of its lines, without empty ones: the first of them, and others from all over the rest. */
  readonly lines: readonly string[];
}

/** Looks at the form of a text, without running anything. Returns the decoders that are worth a try, the likeliest first. */
export type Form = (head: Head) => readonly DecoderCandidate[];

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

/** A text cut in front of the group of its delimiter, or at the delimiters when these have none. */
export function recordsOf(text: string, { pattern }: Extract<SplitOptions, { kind: 'regex' }>): string[] {
  const records: string[] = [];
  let start = 0;
  for (const found of text.matchAll(new RegExp(pattern, 'g'))) {
    records.push(text.slice(start, found.index));
    start = found.index + found[0].length - (found[1]?.length ?? 0);
  }
  return [...records, text.slice(start)].filter((record) => record.trim() !== '');
}

/** A text cut as an input would cut it, without empty records. */
export function cutRecords(text: string, split: SplitOptions): string[] {
  const pieces = cutPieces(makeSplitter(split), Buffer.from(text), 0, 'end', initialState());
  const records = [...pieces].flatMap(({ payload: { text: all, starts, ends } }) =>
    [...starts].map((start, i) => all.slice(start, ends[i])),
  );
  return records.filter((record) => record.trim() !== '');
}

const SAMPLE_LINES = 100;
/** These many lines of the sample are the first ones. */
const FIRST_LINES = 50;

/** Some lines of many: the first ones, and others from all over the rest. */
export function sampleOf(lines: readonly string[]): readonly string[] {
  if (lines.length <= SAMPLE_LINES) return lines;
  const step = (lines.length - FIRST_LINES) / (SAMPLE_LINES - FIRST_LINES);
  const others = Array.from({ length: SAMPLE_LINES - FIRST_LINES }, (_, i) => lines[FIRST_LINES + Math.floor(i * step)] as string);
  return [...lines.slice(0, FIRST_LINES), ...others];
}
