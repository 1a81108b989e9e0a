import type { DifferenceKind } from '../../api/difference-types.ts';
import { ValueType } from '../../message/types.ts';
import { sumOf } from './block-counts.ts';
import {
  chanceOf,
  contrast,
  leastChanceOf,
  MOST_CHANCE,
  MOST_LIFT,
  overall,
  testsOf,
  unrestOf,
  type Contrast,
  type Totals,
} from './chance.ts';
import type { CodeSet, FieldCodes } from './field-codes.ts';
import { BUCKETS, edgeOf, type NumberCounts } from './number-counts.ts';

/** A set of records whose share may differ: those with a code of a field, or with numbers from a bucket on or below it. */
export interface Candidate extends Contrast {
  readonly kind: Extract<DifferenceKind, 'value' | 'pattern' | 'number'>;
  readonly field: FieldCodes;
  readonly set: CodeSet;
  /** Of numbers: the bucket that divides them. */
  readonly bucket: number;
  readonly numbers: NumberCounts | null;
  /** Of numbers: those below the bucket. */
  readonly isBelow: boolean;
  /** Of numbers: only those of records with a value of another field; null: of all. */
  readonly among: { readonly field: FieldCodes; readonly set: CodeSet } | null;
  readonly chance: number;
}

/** Sets that are looked at more closely; of one field, no more than these. */
const [MOST, MOST_OF_FIELD] = [31, 6];
/** Values with fewer records are not compared, and those that are too few for a row even if all are of one side. */
const LEAST_RECORDS = 4;
/** Numbers of at most so many different values are codes, which are compared by value alone. */
const FEW = 40;
/** Times that a range of numbers must say more than each of them. */
const PREFERRED = 1.2;
/** Different parts of a distribution that one choice of a bucket counts for. */
const CHOICES = 20;
/** Least score of a row. */
export const LEAST_SCORE = 0.06;
/** Ids of processes and threads change with each start. */
const NO_VALUES = /(?:^|[._-])(?:pid|tid|thread_?id|ppid)$/i;
/** Texts that are times or dates differ between times. */
const DATE = /^(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d{1,2}\/[A-Z][a-z]{2}\/\d{4})/;

export interface Compared {
  readonly candidates: readonly Candidate[];
  readonly tests: number;
}

/** The sets of records that differ by more than chance, those that say most first. */
export function candidatesOf(
  fields: Iterable<{ readonly codes: FieldCodes; readonly numbers: NumberCounts | null }>,
  totals: Totals,
): Compared {
  const found: Candidate[] = [];
  // Each kind is corrected for by itself, so that many values do not hide a new pattern.
  const leasts: Record<Kind, number[]> = { patterns: [], values: [], parts: [] };
  for (const { codes, numbers } of fields) {
    if (NO_VALUES.test(codes.name) || numbers?.isCounter === true) continue;
    const around = totalsAround(codes, totals);
    if (around.a === 0 || around.b === 0) continue;
    let own: Candidate[] = [];
    const tested = leasts[kindOf(codes)];
    const addShift = (shift: Candidate | null): void => {
      if (shift !== null) own = [shift];
      for (let i = 0; i < CHOICES; i++) tested.push(0);
    };
    if (numbers !== null && isMeasured(codes, numbers)) addShift(shiftOf(codes, numbers, around));
    else {
      const { rows, counts } = valuesOf(codes, around);
      for (const count of counts) tested.push(leastChanceOf(count, around));
      own.push(...rows);
      // Few numbers in a text are amounts as well, such as the length of a queue.
      const shift = numbers !== null && codes.within !== null ? shiftOf(codes, numbers, around) : null;
      if (shift !== null && rows.every(({ score }) => score * PREFERRED < shift.score)) addShift(shift);
    }
    if (around !== totals) own = own.flatMap((one) => amongAll(one, totals));
    own.sort(byScore);
    found.push(...own.slice(0, MOST_OF_FIELD));
  }
  const tests = { patterns: testsOf(leasts.patterns), values: testsOf(leasts.values), parts: testsOf(leasts.parts) };
  const candidates = found
    .map((one) => ({ ...one, chance: overall(one.chance, tests[kindOf(one.field)]) }))
    .filter(({ chance }) => chance <= MOST_CHANCE);
  return mostOf(
    candidates,
    Object.values(leasts).reduce((sum, { length }) => sum + length, 0),
  );
}

/** Kinds of comparisons within a field. */
type Kind = 'patterns' | 'values' | 'parts';

const kindOf = ({ within, mode }: FieldCodes): Kind => (within !== null ? 'parts' : mode === 'patterns' ? 'patterns' : 'values');

/** Those that say most. */
export const mostOf = (candidates: readonly Candidate[], tests: number): Compared => ({
  candidates: candidates.toSorted(byScore).slice(0, MOST),
  tests,
});

/** The records that have a field: of a part of texts, those of its shape, so that a shape that comes more often is not told again by its parts. */
function totalsAround({ within }: FieldCodes, totals: Totals): Totals {
  if (within === null) return totals;
  return wholeOf(within.field.counts.of(within.code));
}

/** Records as the whole. */
export const wholeOf = (blocks: Uint32Array): Totals => ({ blocks, a: sumOf(blocks, 0), b: sumOf(blocks, 1), seconds: null });

/** A difference among some records with its shares of all; none: it did not change the same way. */
export function amongAll(candidate: Candidate, totals: Totals): Candidate[] {
  const by = contrast(candidate.a, candidate.b, totals);
  return by.lift * candidate.lift > 0 && by.score >= LEAST_SCORE ? [{ ...candidate, ...by }] : [];
}

export const byScore = (a: { readonly score: number }, b: { readonly score: number }): number => b.score - a.score;

/** Whether its numbers are amounts, which are compared by their distribution alone. */
export const isMeasured = (codes: FieldCodes, numbers: NumberCounts | null): boolean =>
  numbers !== null && (codes.size > FEW || codes.mode === 'none');

function valuesOf(codes: FieldCodes, totals: Totals): { readonly rows: Candidate[]; readonly counts: readonly number[] } {
  const compared: { readonly set: CodeSet; readonly records: number; readonly counts: Uint32Array }[] = [];
  const [a, b] = [codes.counts.sums(0, codes.size), codes.counts.sums(1, codes.size)];
  const least = Math.max(LEAST_RECORDS, (LEAST_SCORE / MOST_LIFT) ** 2 * Math.min(totals.a, totals.b));
  for (const set of codes.sets()) {
    let records = 0;
    for (const code of set.codes) records += (a[code] as number) + (b[code] as number);
    if (records >= least) compared.push({ set, records, counts: countsOf(codes, set) });
  }
  const unrest = unrestOf(
    compared.map(({ counts }) => counts),
    totals.blocks,
  );
  const kind = codes.mode === 'patterns' ? 'pattern' : 'value';
  const rows = compared.flatMap(({ set, counts }): Candidate[] => {
    const by = contrast(sumOf(counts, 0), sumOf(counts, 1), totals);
    if (by.score < LEAST_SCORE) return [];
    if (codes.valueType === ValueType.STRING && DATE.test(codes.textOf(set.codes[0] as number))) return [];
    return [
      { ...by, kind, field: codes, set, bucket: 0, numbers: null, isBelow: false, among: null, chance: chanceOf(counts, totals, unrest) },
    ];
  });
  return { rows, counts: compared.map(({ records }) => records) };
}

function countsOf(field: FieldCodes, { codes: [first = 0, ...others] }: CodeSet): Uint32Array {
  const counts = field.counts.of(first);
  for (const code of others)
    for (const [block, count] of field.counts.of(code).entries()) counts[block] = (counts[block] as number) + count;
  return counts;
}

/** The bucket that divides the numbers of the sides best. */
export function shiftOf(codes: FieldCodes, numbers: NumberCounts, totals: Totals): Candidate | null {
  const [a, b] = [numbers.sums(0), numbers.sums(1)];
  const all = [a, b].map((sums) => sums.reduce((sum, count) => sum + count, 0)) as [number, number];
  let best: (Contrast & { readonly bucket: number; readonly isBelow: boolean }) | null = null;
  let [aboveA, aboveB] = [0, 0];
  for (let bucket = BUCKETS - 1; bucket > 0; bucket--) {
    const [x, y] = [a[bucket] as number, b[bucket] as number];
    if (x + y === 0) continue;
    aboveA += x;
    aboveB += y;
    for (const isBelow of [false, true]) {
      const by = isBelow ? contrast(all[0] - aboveA, all[1] - aboveB, totals) : contrast(aboveA, aboveB, totals);
      if (by.lift > 0 && by.score > (best?.score ?? LEAST_SCORE)) best = { ...by, bucket, isBelow };
    }
  }
  if (best === null) return null;
  const above = numbers.from(best.bucket);
  const counts = best.isBelow ? numbers.all().map((count, block) => count - (above[block] as number)) : above;
  const { bucket, isBelow, ...by } = best;
  const set = { codes: [], pattern: null };
  return { ...by, kind: 'number', field: codes, set, bucket, numbers, isBelow, among: null, chance: chanceOf(counts, totals, 1) };
}

/** The number that divides those of a candidate, written shortly. */
export const dividing = (bucket: number): number => Number(edgeOf(bucket).toPrecision(3));
