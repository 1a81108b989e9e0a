/** Statistics of samples that graphs and anomaly tests need. NaN marks a cell without data. */

/** The number of values that are no NaN. */
export function countOf(values: ArrayLike<number>): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i])) count++;
  return count;
}

/** The sum of the values that are no NaN; 0 when there are none. */
export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i])) sum += values[i] as number;
  return sum;
}

/** The mean of the values that are no NaN; NaN when there are none. */
export function meanOf(values: ArrayLike<number>): number {
  return sumOf(values) / countOf(values);
}

/** The population variance of the values that are no NaN; NaN when there are none. */
export function varianceOf(values: ArrayLike<number>): number {
  const mean = meanOf(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i])) squares += ((values[i] as number) - mean) ** 2;
  return squares / countOf(values);
}

/** The smallest value that is no NaN; NaN when there is none. */
export function minimumOf(values: ArrayLike<number>): number {
  let minimum = NaN;
  for (let i = 0; i < values.length; i++)
    if (!((values[i] as number) >= minimum) && !Number.isNaN(values[i])) minimum = values[i] as number;
  return minimum;
}

/** The largest value that is no NaN; NaN when there is none. */
export function maximumOf(values: ArrayLike<number>): number {
  let maximum = NaN;
  for (let i = 0; i < values.length; i++)
    if (!((values[i] as number) <= maximum) && !Number.isNaN(values[i])) maximum = values[i] as number;
  return maximum;
}

/** The result of `mannWhitneyU`. */
export interface RankTest {
  /** The U statistic of the first sample. */
  readonly u: number;
  /** The one-sided p-value. */
  readonly p: number;
}

/**
 * The Mann-Whitney U test of two samples by the normal approximation with correction for ties (H. B. Mann and D. R. Whitney, "On a Test
 * of Whether one of Two Random Variables is Stochastically Larger than the Other", 1947). NaN ranks below all numbers and equals
 * NaN. Null when all values are identical.
 */
export function mannWhitneyU(first: readonly number[], second: readonly number[], continuity: boolean): RankTest | null {
  const n1 = first.length;
  const n2 = second.length;
  const total = n1 + n2;
  const pooled = [...first.map((value) => ({ value, own: true })), ...second.map((value) => ({ value, own: false }))];
  pooled.sort((a, b) => order(a.value, b.value));

  let rankSum = 0;
  let ties = 0;
  for (let from = 0; from < total;) {
    const value = (pooled[from] as { value: number }).value;
    let to = from;
    let own = 0;
    for (; to < total && order((pooled[to] as { value: number }).value, value) === 0; to++) if (pooled[to]?.own) own++;
    const size = to - from;
    rankSum += (own * (from + 1 + to)) / 2;
    ties += size ** 3 - size;
    from = to;
  }

  const tieCorrection = 1 - ties / (total ** 3 - total);
  if (!(tieCorrection > 0)) return null;
  const u1 = rankSum - (n1 * (n1 + 1)) / 2;
  const larger = Math.max(u1, n1 * n2 - u1);
  const deviation = Math.sqrt((tieCorrection * n1 * n2 * (total + 1)) / 12);
  const z = Math.abs((larger - (continuity ? 0.5 : 0) - (n1 * n2) / 2) / deviation);
  return { u: u1, p: normalTail(z) };
}

function order(a: number, b: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1;
  if (Number.isNaN(b)) return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The probability that a standard normal variable exceeds `z` >= 0: erfc(z / sqrt 2) / 2. */
export function normalTail(z: number): number {
  return complementaryError(z / Math.SQRT2) / 2;
}

/** erfc(x) for x >= 0: the series of Abramowitz and Stegun 7.1.6 below 2, their continued fraction 7.1.14 above. */
function complementaryError(x: number): number {
  const scale = Math.exp(-x * x) / Math.sqrt(Math.PI);
  if (x >= 2) {
    let fraction = x;
    for (let k = 120; k > 0; k--) fraction = x + k / 2 / fraction;
    return scale / fraction;
  }
  let term = 2 * x;
  let sum = term;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return 1 - scale * sum;
}
