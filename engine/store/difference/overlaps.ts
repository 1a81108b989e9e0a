import { contrast, type Contrast, type Totals } from './chance.ts';
import { byScore, LEAST_SCORE, type Candidate } from './candidates.ts';

/** Records of A and of B by the candidates that they are in: a bit for each. */
export type MaskCounts = ReadonlyMap<number, readonly [a: number, b: number]>;

/** A candidate that says something that those before it do not, and those that say the same. */
export interface Distinct {
  readonly at: number;
  readonly candidate: Candidate;
  /** Those of the same records. */
  readonly same: readonly Candidate[];
  /** Those that are so because of these records. */
  readonly also: readonly Candidate[];
}

/** Rest of a candidate without the records of others: it says nothing new below such a share of its score. */
const LITTLE = 0.35;
/** Share of the records that two have in common, from which on they are the same. */
const SAME = 0.9;
/** Difference of the shares from which on something is a side itself. */
const WHOLE = 0.999;
/** Names of the same records that are told. */
const MOST_SAME = 3;
/** Shares by which values of one field stand for each other: one is gone, and the other one came. */
const EXCHANGE = 0.25;
const LARGE_PART = 0.5;
/** Share of a lift, up to which a smaller change the other way is what the larger one left. */
const LESS = 0.5;

/** The candidates with counts that are exact, without those that are about the same records as one that says more. */
export function distinctOf(candidates: readonly Candidate[], masks: MaskCounts, totals: Totals, most: number): Distinct[] {
  const exact = candidates
    .map((candidate, at) => ({ at, candidate: { ...candidate, ...weighed(contrast(...sizeOf(masks, 1 << at, 0), totals), totals) } }))
    .sort((x, y) => byScore(x.candidate, y.candidate));
  const kept: Kept[] = [];
  let union = 0;
  for (const { at, candidate } of exact) {
    const rest = contrast(...sizeOf(masks, 1 << at, union), totals);
    const other = kept.find((one) => [one.candidate, ...one.same].some((told) => isExchange(candidate, told)));
    if (other === undefined && rest.score >= Math.max(LEAST_SCORE, LITTLE * candidate.score)) {
      if (kept.length === most) continue;
      kept.push({ at, candidate, same: [], also: [] });
      union |= 1 << at;
      continue;
    }
    const nearest = other ?? kept.toSorted((x, y) => overlap(masks, y.at, at) - overlap(masks, x.at, at))[0];
    if (nearest === undefined) continue;
    // The numbers of two values that mostly go together are told once.
    if (candidate.among !== null && nearest.candidate.among !== null && candidate.field === nearest.candidate.field) continue;
    // A value that came is told with the one that went.
    const isNews = other !== undefined && candidate.a === 0 && nearest.candidate.lift < 0;
    if (isNews || isPartOf(candidate, nearest.candidate)) lead(nearest, candidate, at);
    else if (candidate.kind === 'number' || other !== undefined || overlap(masks, nearest.at, at) < SAME) nearest.also.push(candidate);
    // The values say what the records are, a range of numbers only how they are.
    else if (nearest.candidate.kind === 'number') lead(nearest, candidate, at);
    else if (nearest.same.length < MOST_SAME && nearest.candidate.field.name !== candidate.field.name) nearest.same.push(candidate);
    else nearest.also.push(candidate);
  }
  return kept;
}

interface Kept {
  at: number;
  candidate: Candidate;
  readonly same: Candidate[];
  readonly also: Candidate[];
}

/** Lets a candidate stand for those that were before it. */
function lead(kept: Kept, candidate: Candidate, at: number): void {
  kept.also.unshift(kept.candidate, ...kept.same.splice(0));
  kept.candidate = candidate;
  kept.at = at;
}

/** A thing that is a side itself, such as another field with the same value, says least where the sides are values of a field. */
const weighed = (by: Contrast, { isByValue }: Totals): Contrast =>
  isByValue === true && Math.abs(by.shareB - by.shareA) > WHOLE ? { ...by, score: 0 } : by;

/** Records that are in one of the candidates and in none of others. */
function sizeOf(masks: MaskCounts, bit: number, without: number): [number, number] {
  let [a, b] = [0, 0];
  for (const [mask, [x, y]] of masks)
    if ((mask & bit) !== 0 && (mask & without) === 0) {
      a += x;
      b += y;
    }
  return [a, b];
}

function overlap(masks: MaskCounts, one: number, other: number): number {
  let [both, any] = [0, 0];
  for (const [mask, [a, b]] of masks) {
    const [x, y] = [(mask >>> one) & 1, (mask >>> other) & 1];
    if (x + y === 2) both += a + b;
    if (x + y > 0) any += a + b;
  }
  return any === 0 ? 0 : both / any;
}

/** Whether numbers among the records of a value are most of what is known of the numbers of all: then the value says more. */
const isPartOf = (one: Candidate, other: Candidate): boolean =>
  one.among !== null &&
  other.among === null &&
  one.field === other.field &&
  one.lift * other.lift > 0 &&
  share(one) > LARGE_PART * share(other);

const share = ({ shareA, shareB }: Candidate): number => Math.abs(shareB - shareA);

/** Whether a value only took the place of another one, or gave way to it. */
function isExchange(one: Candidate, other: Candidate): boolean {
  if (one.field !== other.field || one.lift * other.lift >= 0) return false;
  const [x, y] = [Math.abs(one.shareB - one.shareA), Math.abs(other.shareB - other.shareA)];
  return Math.abs(x - y) <= EXCHANGE * Math.max(x, y) || (x < y && Math.abs(one.lift) < LESS * Math.abs(other.lift));
}
