import { SIDE_BLOCKS, sumOf } from './block-counts.ts';

/** Difference of one thing between the sides. */
export interface Contrast {
  readonly a: number;
  readonly b: number;
  /** Shares of the records. */
  readonly shareA: number;
  readonly shareB: number;
  /** Logarithm (of two) of the lift; positive: more in B. */
  readonly lift: number;
  /** Weight: the larger, the more of the records, and the more it differs. */
  readonly score: number;
  /** The difference in standard deviations, as those of single records. */
  readonly z: number;
}

/** Facts about the sides. */
export interface Totals {
  /** Records by block. */
  readonly blocks: Uint32Array;
  readonly a: number;
  readonly b: number;
  /** Seconds of A by those of B, where they are two times; null: they are of the same time, and rates tell nothing. */
  readonly seconds: number | null;
  /** The sides were chosen by values of fields; absent: they were not. */
  readonly isByValue?: boolean;
}

/** Kinds of comparisons that are corrected for one by one: of patterns, of values, of parts of texts, and of numbers among values. */
const KINDS = 4;
/** The probability of a difference by chance that a row may have, after all comparisons were counted. */
export const MOST_CHANCE = 0.01;
/** The probability that chance makes any of all comparisons differ as much as one. @param tests of its kind */
export const overall = (chance: number, tests: number): number => Math.min(1, chance * tests * KINDS);
/** Logarithm of the greatest lift that counts. */
export const MOST_LIFT = 7;

/** Compares counts of the sides. Where rates and shares do not change the same way, the others changed. */
export function contrast(a: number, b: number, { a: recordsA, b: recordsB, seconds }: Totals): Contrast {
  const [shareA, shareB] = [a / recordsA, b / recordsB];
  let lift = Math.log2((b + 0.5) / (recordsB + 1)) - Math.log2((a + 0.5) / (recordsA + 1));
  if (seconds !== null) {
    const rate = Math.log2(((b + 0.5) * seconds) / (a + 0.5));
    lift = rate * lift <= 0 ? 0 : Math.sign(lift) * Math.min(Math.abs(lift), Math.abs(rate));
  }
  const whole = (a + b) / (recordsA + recordsB);
  const z = (shareB - shareA) / Math.sqrt(Math.max(1e-300, whole * (1 - whole) * (1 / recordsA + 1 / recordsB)));
  return { a, b, shareA, shareB, lift, z, score: Math.sqrt(Math.abs(shareB - shareA)) * Math.min(MOST_LIFT, Math.abs(lift)) };
}

/** The variance of a share between the blocks of a side, by that which single records would give; 1: no more than that. */
function dispersion(counts: ArrayLike<number>, totals: ArrayLike<number>, side: 0 | 1): number {
  const [count, all] = [sumOf(counts, side), sumOf(totals, side)];
  const share = count / all;
  if (!(share > 0 && share < 1)) return 1;
  let [sum, blocks] = [0, 0];
  for (let block = side * SIDE_BLOCKS; block < (side + 1) * SIDE_BLOCKS; block++) {
    const total = totals[block] as number;
    if (total === 0) continue;
    blocks++;
    sum += ((counts[block] as number) - share * total) ** 2 / (total * share * (1 - share));
  }
  return blocks < 2 ? 1 : Math.max(1, sum / (blocks - 1));
}

/** Change of a share from the first half of a side to the second, in standard deviations of single records and as a difference. */
function drift(counts: ArrayLike<number>, totals: ArrayLike<number>, side: 0 | 1): { readonly z: number; readonly by: number } {
  const parts = [0, 0, 0, 0];
  for (let at = 0; at < SIDE_BLOCKS; at++) {
    const half = at < SIDE_BLOCKS / 2 ? 0 : 2;
    const block = side * SIDE_BLOCKS + at;
    parts[half] = (parts[half] as number) + (counts[block] as number);
    parts[half + 1] = (parts[half + 1] as number) + (totals[block] as number);
  }
  const [x, n, y, m] = parts as [number, number, number, number];
  if (n === 0 || m === 0) return { z: 0, by: 0 };
  const whole = (x + y) / (n + m);
  if (whole <= 0 || whole >= 1) return { z: 0, by: 0 };
  const by = y / m - x / n;
  return { z: by / Math.sqrt(whole * (1 - whole) * (1 / n + 1 / m)), by };
}

/**
 * Bound on the probability that a share differs as much by chance. Records come in bursts and their shares drift, so the variance is that between blocks of time, of the
 * calmer side; a drift that goes on as within the calmer side is no difference. Where only few blocks of one side have the thing, the probability is that of blocks that are exchanged.
 * @param unrest variance of the field's other values within a side, by that of single records
 */
export function chanceOf(counts: ArrayLike<number>, totals: Totals, unrest: number): number {
  const { blocks } = totals;
  const { z, shareA, shareB } = contrast(sumOf(counts, 0), sumOf(counts, 1), totals);
  const [driftA, driftB] = [drift(counts, blocks, 0), drift(counts, blocks, 1)];
  const [spreadA, spreadB] = [dispersion(counts, blocks, 0), dispersion(counts, blocks, 1)];
  const difference = Math.abs(shareB - shareA);
  const beyond = Math.max(0, difference - 2 * Math.min(Math.abs(driftA.by), Math.abs(driftB.by)));
  const t = difference === 0 ? 0 : (Math.abs(z) * (beyond / difference)) / Math.sqrt(Math.max(Math.min(spreadA, spreadB), unrest));
  return Math.min(1, 2 * Math.min(studentTail(t, SIDE_BLOCKS - 2), presenceChance(counts, blocks)));
}

/** The least value that `chanceOf` may have for a thing with so many records of both sides, when all of these are of one side. */
export function leastChanceOf(records: number, { a, b, blocks }: Totals): number {
  const t = Math.sqrt(records * Math.max(a / b, b / a));
  const [n, m] = [0, 1].map((side) => blocksOf(blocks, side as 0 | 1)) as [number, number];
  const k = Math.min(records, Math.max(n, m));
  const presence = Math.exp(Math.max(choose(n, Math.min(n, k)), choose(m, Math.min(m, k))) - choose(n + m, k));
  return 2 * Math.min(studentTail(t, SIDE_BLOCKS - 2), presence);
}

/**
 * The number of comparisons by which chances are multiplied: those that cannot be below the bound even at their most are no test (R. E. Tarone, "A Modified Bonferroni
 * Method for Discrete Data", 1990).
 * @param leasts the least chance that each may have
 */
export function testsOf(leasts: Iterable<number>): number {
  const sorted = Float64Array.from(leasts).sort();
  let tests = 1;
  while (tests < sorted.length && overall(sorted[tests] as number, tests) <= MOST_CHANCE) tests++;
  return tests;
}

const blocksOf = (totals: ArrayLike<number>, side: 0 | 1): number => {
  let blocks = 0;
  for (let block = side * SIDE_BLOCKS; block < (side + 1) * SIDE_BLOCKS; block++) if ((totals[block] as number) > 0) blocks++;
  return blocks;
};

/** Records of a block of the side that has a thing more rarely, by those of the other side, below which blocks cannot be exchanged. */
const FEWER = 0.5;

/** Probability that exchanged blocks have a thing as unevenly as here: Fisher's exact test of the blocks that have it at all. */
function presenceChance(counts: ArrayLike<number>, totals: ArrayLike<number>): number {
  const [withIt, all] = [0, 1].map((side) => {
    let [some, any] = [0, 0];
    for (let block = side * SIDE_BLOCKS; block < (side + 1) * SIDE_BLOCKS; block++) {
      if ((counts[block] as number) > 0) some++;
      if ((totals[block] as number) > 0) any++;
    }
    return [some, any] as const;
  }) as [readonly [number, number], readonly [number, number]];
  const [[x, n], [y, m]] = [withIt, all];
  const sum = x + y;
  const high = x / n > y / m;
  // Blocks of few records have less in them.
  const [a, b] = [sumOf(totals, 0) / n, sumOf(totals, 1) / m];
  if (high ? b < FEWER * a : a < FEWER * b) return 1;
  let chance = 0;
  for (let i = Math.max(0, sum - m); i <= Math.min(sum, n); i++)
    if (high ? i >= x : i <= x) chance += Math.exp(choose(n, i) + choose(m, sum - i) - choose(n + m, sum));
  return Math.min(1, 2 * chance);
}

const FACTORIALS = [0];
for (let i = 1; i <= 4 * SIDE_BLOCKS; i++) FACTORIALS.push((FACTORIALS[i - 1] as number) + Math.log(i));
const choose = (n: number, k: number): number => (FACTORIALS[n] as number) - (FACTORIALS[k] as number) - (FACTORIALS[n - k] as number);

/** Both tails of Student's distribution, by the normal one (D. L. Wallace, "Bounds on Normal Approximations to Student's and the Chi-Square Distributions", 1959). */
export function studentTail(t: number, degrees: number): number {
  const z = ((8 * degrees + 1) / (8 * degrees + 3)) * Math.sqrt(degrees * Math.log1p((t * t) / degrees));
  return Math.min(1, normalTail(z));
}

/** Both tails of the normal distribution; from above (for large ones, Mill's bound). */
function normalTail(z: number): number {
  if (z > 3) return (2 * Math.exp((-z * z) / 2)) / (z * Math.sqrt(2 * Math.PI));
  const t = 1 / (1 + 0.2316419 * z);
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 2 * poly * Math.exp((-z * z) / 2) * 0.3989422804;
}

/** Variance of the values of a field within the calmer side, beyond what so many values have by chance; at least 1. */
export function unrestOf(values: Iterable<ArrayLike<number>>, totals: ArrayLike<number>): number {
  const most = [0, 0];
  let count = 0;
  for (const counts of values) {
    count++;
    for (const side of [0, 1] as const) most[side] = Math.max(most[side] as number, drift(counts, totals, side).z ** 2);
  }
  return Math.max(1, Math.min(...most) / (2 * Math.log(count + 1) + 4));
}
