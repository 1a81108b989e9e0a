import type { DifferenceRow } from '../../api/difference-types.ts';
import { formatCompact, formatNs } from '../../api/quantities.ts';
import { SIDE_BLOCKS } from './block-counts.ts';
import { MOST_CHANCE, studentTail, type Totals } from './chance.ts';
import type { Sides } from './sides.ts';

/** Times that go back by less are those of writers side by side. */
const LEAST_BACK_MS = 10_000;
/** A time without records is told from so many times the longest one of the other side on. */
const LONGER = 6;
const LEAST_GAP_MS = 30_000;
/** Between the sides, up to such a share of the shorter one. */
const MOST_BETWEEN = 0.5;
/** Records per second are told if they change so many times. */
const LEAST_RATE = 1.5;
const [BACK_SCORE, GAP_SCORE] = [2.5, 0.4];

/** The row about records per second, if these differ. */
export function rateRow(sides: Sides, { blocks, a, b, seconds }: Totals): DifferenceRow[] {
  if (seconds === null) return [];
  const [spanA, spanB] = sides.spans;
  const [rateA, rateB] = [(a * 1000) / (spanA.to - spanA.from), (b * 1000) / (spanB.to - spanB.from)];
  const lift = Math.log2(rateB / rateA);
  if (Math.abs(lift) < Math.log2(LEAST_RATE)) return [];
  const { mean: meanA, deviation: deviationA, change: changeA } = blockRates(blocks, 0);
  const { mean: meanB, deviation: deviationB, change: changeB } = blockRates(blocks, 1);
  // By the calmer side, and less what changes within it.
  const deviation = Math.max(1 / Math.sqrt(Math.min(meanA, meanB)), Math.min(deviationA, deviationB));
  const beyond = Math.max(0, Math.abs(lift) * Math.LN2 - 2 * Math.min(changeA, changeB));
  const chance = studentTail(beyond / (deviation * Math.sqrt(2 / SIDE_BLOCKS)), SIDE_BLOCKS - 2);
  if (chance > MOST_CHANCE) return [];
  return [
    {
      ...ofAll(sides),
      kind: 'rate',
      text: `records: ${perTime(rateA)} in A, ${perTime(rateB)} in B`,
      lift: 2 ** lift,
      chance,
      score: Math.abs(lift) * 0.5,
    },
  ];
}

function blockRates(blocks: ArrayLike<number>, side: 0 | 1): { mean: number; deviation: number; change: number } {
  const own = Array.from({ length: SIDE_BLOCKS }, (_, at) => blocks[side * SIDE_BLOCKS + at] as number);
  const mean = own.reduce((sum, one) => sum + one, 0) / SIDE_BLOCKS;
  const deviation = Math.sqrt(own.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (SIDE_BLOCKS - 1)) / mean;
  const half = (from: number): number => own.slice(from, from + SIDE_BLOCKS / 2).reduce((sum, one) => sum + one, 0) + 0.5;
  return { mean, deviation, change: Math.abs(Math.log(half(SIDE_BLOCKS / 2) / half(0))) };
}

const perTime = (rate: number): string =>
  rate >= 1
    ? `${formatCompact(rate)} per second`
    : rate * 60 >= 1
      ? `${formatCompact(rate * 60)} per minute`
      : `${formatCompact(rate * 3600)} per hour`;

/** The rows about times that go back, and, where the sides are two times, about times without records. */
export function timeRows(sides: Sides, { seconds }: Totals): DifferenceRow[] {
  const { back, gap } = sides.clock;
  const rows: DifferenceRow[] = [];
  const tell = (
    [a, b]: typeof back,
    kind: 'clock' | 'gap',
    least: number,
    score: (by: number, other: number) => number,
    say: (by: string) => string,
  ): void => {
    const [more, less, name] = b.by >= a.by ? ([b, a, 'B'] as const) : ([a, b, 'A'] as const);
    if (more.by < least || more.by < LONGER * less.by) return;
    const text = `${say(formatNs(more.by * 1e6))} in ${name}, after ${timeText(more.at)} (at most ${formatNs(less.by * 1e6)} in ${name === 'A' ? 'B' : 'A'})`;
    rows.push({ ...ofAll(sides), kind, text, lift: b.by / a.by, chance: 0, score: score(more.by, less.by) });
  };
  tell(
    back,
    'clock',
    LEAST_BACK_MS,
    () => BACK_SCORE,
    (by) => `the clock goes back by ${by}`,
  );
  // Of the same time, one side may just have fewer records.
  if (seconds === null) return rows;
  tell(gap, 'gap', LEAST_GAP_MS, gapScore, (by) => `no record for ${by}`);
  return [...rows, ...betweenRow(sides)];
}

/** The row about a time without records from the end of A to the begin of B, where they follow on each other. */
function betweenRow(sides: Sides): DifferenceRow[] {
  const [a, b] = sides.spans;
  const own = Math.max(sides.clock.gap[0].by, sides.clock.gap[1].by);
  const by = b.from - a.to;
  if (by < LEAST_GAP_MS || by < LONGER * own || by > MOST_BETWEEN * Math.min(a.to - a.from, b.to - b.from)) return [];
  const text = `no record for ${formatNs(by * 1e6)} between A and B, after ${timeText(a.to)} (at most ${formatNs(own * 1e6)} in them)`;
  return [{ ...ofAll(sides), kind: 'gap', text, lift: 1, chance: 0, score: gapScore(by, own) }];
}

const gapScore = (by: number, other: number): number => GAP_SCORE * Math.min(6, Math.log2(by / Math.max(1, other)));
const timeText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const ofAll = (sides: Sides) => ({
  variable: null,
  a: { count: sides.records[0], share: 1 },
  b: { count: sides.records[1], share: 1 },
  filter: null,
  causes: [],
  also: [],
});
