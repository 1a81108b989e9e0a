/** Random operations, once on a circular buffer and once on a plain list of all rows; anomaly tests against their definitions. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detect, parse_config } from '../../../plugins/modules/anomaly.ts';
import { CircularBuffer } from '../../../plugins/modules/circular_buffer.ts';
import type { Aggregation } from '../../../plugins/base/column_header.ts';

const S = 1e9;
const AGGREGATIONS: readonly Aggregation[] = ['sum', 'min', 'max', 'none'];

/** All rows that ever were, by their slot in seconds. */
class Plain {
  readonly cells = new Map<number, number[]>();
  /** Deltas; undefined where nothing was touched. */
  readonly deltas = new Map<number, (number | undefined)[]>();
  newest: number;
  readonly rows: number;
  readonly seconds: number;

  constructor(rows: number, seconds: number) {
    this.rows = rows;
    this.seconds = seconds;
    this.newest = seconds * (rows - 1);
  }

  slot(ns: number): number {
    const time = Math.trunc(ns / 1e9);
    return time - (time % this.seconds);
  }

  inside(slot: number): boolean {
    return slot <= this.newest && slot > this.newest - this.rows * this.seconds;
  }

  value(slot: number, column: number): number {
    return this.cells.get(slot)?.[column] ?? NaN;
  }

  write(kind: 'add' | 'set', ns: number, column: number, value: number): number | null {
    const slot = this.slot(ns);
    if (slot > this.newest) this.newest = slot;
    if (!this.inside(slot)) return null;
    const old = this.value(slot, column);
    const aggregation = AGGREGATIONS[column] as Aggregation;
    const now = kind === 'add' ? (Number.isNaN(old) ? value : old + value) : set(aggregation, old, value);
    const row = this.cells.get(slot) ?? AGGREGATIONS.map(() => NaN);
    this.cells.set(slot, row);
    row[column] = now;
    if (kind === 'add' ? value !== 0 : !(aggregation === 'min' || aggregation === 'max') || now !== old) {
      const replaces = aggregation === 'min' || aggregation === 'max' || (aggregation === 'none' && kind === 'add');
      this.#touch(slot, column, replaces ? null : kind === 'add' || Number.isNaN(old) ? value : value - old, now);
    }
    return now;
  }

  #touch(slot: number, column: number, change: number | null, now: number): void {
    const row = this.deltas.get(slot) ?? AGGREGATIONS.map(() => undefined);
    this.deltas.set(slot, row);
    row[column] = change === null ? now : (row[column] ?? 0) + change;
  }

  range(column: number, start: number, end: number): number[] | null {
    const [from, to] = [this.slot(start), this.slot(end)];
    if (!this.inside(from) || !this.inside(to)) return null;
    return Array.from({ length: (to - from) / this.seconds + 1 }, (_, i) => this.value(from + i * this.seconds, column));
  }

  get start(): number {
    return this.newest - this.seconds * (this.rows - 1);
  }

  get body(): string {
    const rows = this.range(0, this.start * S, this.newest * S)?.map((_, i) => this.start + i * this.seconds) ?? [];
    return rows.map((slot) => `${AGGREGATIONS.map((_, column) => text(this.value(slot, column))).join('\t')}\n`).join('');
  }

  takeDeltas(): string {
    const rows = [...this.deltas].toSorted(([a], [b]) => a - b);
    this.deltas.clear();
    return rows.map(([slot, row]) => `${slot}\t${row.map((delta) => text(delta ?? NaN)).join('\t')}\n`).join('');
  }
}

function set(aggregation: Aggregation, old: number, value: number): number {
  if (Number.isNaN(old) || aggregation === 'sum' || aggregation === 'none') return value;
  return aggregation === 'min' ? Math.min(old, value) : Math.max(old, value);
}

const text = (value: number): string => (Number.isNaN(value) ? 'nan' : String(value));
const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Result of `compute` by its definitions. */
function computed(name: string, all: readonly number[] | null): [number | null, number] {
  if (all === null) return [null, 0];
  const values = all.filter((value) => !Number.isNaN(value));
  const variance = average(values.map((value) => (value - average(values)) ** 2));
  const results: Record<string, number> = {
    sum: values.reduce((sum, value) => sum + value, 0),
    avg: average(values),
    variance,
    sd: Math.sqrt(variance),
    min: values.length === 0 ? NaN : Math.min(...values),
    max: values.length === 0 ? NaN : Math.max(...values),
  };
  return [results[name] as number, values.length];
}

/** U of the first sample by counting pairs, and p by the definition with tie groups. NaN is below all numbers. */
function rankTest(first: readonly number[], second: readonly number[], continuity: boolean): [u: number, p: number] | null {
  const below = (a: number, b: number): boolean => (Number.isNaN(a) ? !Number.isNaN(b) : a < b);
  let u = 0;
  for (const a of first) for (const b of second) u += below(b, a) ? 1 : below(a, b) ? 0 : 0.5;
  const all = [...first, ...second];
  const [n1, n2, n] = [first.length, second.length, all.length];
  const groups = [...new Set(all.map(String))].map((key) => all.filter((value) => String(value) === key).length);
  const ties = 1 - groups.reduce((sum, k) => sum + k ** 3 - k, 0) / (n ** 3 - n);
  if (groups.length === 1) return null;
  const m = Math.max(u, n1 * n2 - u);
  const z = Math.abs((m - (continuity ? 0.5 : 0) - (n1 * n2) / 2) / Math.sqrt((ties * n1 * n2 * (n + 1)) / 12));
  return [u, tail(z)];
}

/** The tail of the normal distribution, by Simpson's rule. */
function tail(z: number): number {
  const [end, steps] = [z + 12, 4000];
  const h = (end - z) / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i++) sum += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * Math.exp(-((z + i * h) ** 2) / 2);
  return (sum * h) / 3 / Math.sqrt(2 * Math.PI);
}

const close = (actual: number | null | undefined, expected: number | null): void => {
  if (expected === null || Number.isNaN(expected) || !Number.isFinite(expected)) expect(actual).toEqual(expected);
  else expect(Math.abs((actual as number) - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
};

describe('circular buffer', () => {
  const column = fc.integer({ min: 0, max: 3 });
  const time = fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: -20, max: 60 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 300 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2e9 }) },
  );
  const value = fc.oneof(
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: -99, max: 99 }).map((n) => n / 4),
  );
  const write = fc.record({ kind: fc.constantFrom('add' as const, 'set' as const), time, column, value });
  const read = fc.record({
    kind: fc.constantFrom('get' as const, 'sum', 'avg', 'sd', 'variance', 'min', 'max'),
    time,
    column,
    rows: fc.integer({ min: 0, max: 9 }),
  });
  const other = fc.record({ kind: fc.constantFrom('text' as const, 'deltas' as const, 'saved' as const) });
  const rank = fc.record({
    kind: fc.constant('rank' as const),
    column,
    from: fc.integer({ min: -1, max: 9 }),
    first: fc.integer({ min: 1, max: 5 }),
    second: fc.integer({ min: 1, max: 5 }),
    gap: fc.integer({ min: 0, max: 2 }),
    continuity: fc.boolean(),
  });
  const step = fc.oneof(
    { weight: 6, arbitrary: write },
    { weight: 3, arbitrary: read },
    { weight: 1, arbitrary: other },
    { weight: 2, arbitrary: rank },
  );

  test('is as plain', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(step, { maxLength: 80, size: 'max' }),
        (rows, seconds, steps) => {
          const plain = new Plain(rows, seconds);
          let buffer = new CircularBuffer(rows, 4, seconds, true);
          for (const [i, aggregation] of AGGREGATIONS.entries()) buffer.set_header(i + 1, `c${i}`, 'x', aggregation);
          for (const one of steps) {
            switch (one.kind) {
              case 'add':
              case 'set':
                expect(buffer[one.kind](one.time * S, one.column + 1, one.value)).toBe(
                  plain.write(one.kind, one.time * S, one.column, one.value),
                );
                break;
              case 'get': {
                const slot = plain.slot(one.time * S);
                expect(buffer.get(one.time * S, one.column + 1)).toBe(plain.inside(slot) ? plain.value(slot, one.column) : null);
                break;
              }
              case 'text':
                expect(buffer.format('cbuf').toPayload().split('\n').slice(1).join('\n')).toBe(plain.body);
                expect(buffer.current_time()).toBe(plain.newest * S);
                break;
              case 'deltas': {
                const expected = plain.takeDeltas();
                const [head, ...body] = buffer.format('cbufd').toPayload().split('\n');
                expect(body.join('\n')).toBe(expected);
                if (expected !== '') expect(head).toContain(`"time":${plain.start},`);
                break;
              }
              case 'saved': {
                const copy = CircularBuffer.fromSaved(structuredClone(buffer.toSaved()));
                expect(copy.toSavedText()).toBe(buffer.toSavedText());
                buffer = copy;
                break;
              }
              case 'rank': {
                const from = plain.start + one.from * seconds;
                const [end1, start2] = [from + (one.first - 1) * seconds, from + (one.first + one.gap) * seconds];
                const end2 = start2 + (one.second - 1) * seconds;
                const [a, b] = [plain.range(one.column, from * S, end1 * S), plain.range(one.column, start2 * S, end2 * S)];
                const expected = a && b && rankTest(a, b, one.continuity);
                const actual = buffer.mannwhitneyu(one.column + 1, from * S, end1 * S, start2 * S, end2 * S, one.continuity);
                const swapped = buffer.mannwhitneyu(one.column + 1, start2 * S, end2 * S, from * S, end1 * S, one.continuity);
                if (expected === null) expect([actual, swapped]).toEqual([null, null]);
                else {
                  expect(actual?.[0]).toBe(expected[0]);
                  expect(swapped?.[0]).toBe(one.first * one.second - expected[0]);
                  close(actual?.[1], expected[1]);
                  close(swapped?.[1], expected[1]);
                }
                break;
              }
              default: {
                const start = plain.newest - one.rows * seconds;
                const range = plain.range(one.column, start * S, plain.newest * S);
                expect(buffer.get_range(one.column + 1, start * S)).toEqual(range);
                const [result, active] = buffer.compute(one.kind, one.column + 1, start * S);
                const [expected, count] = computed(one.kind, range);
                expect(active).toBe(count);
                close(result, expected);
                const whole = plain.range(one.column, plain.start * S, plain.newest * S);
                close(buffer.compute(one.kind, one.column + 1)[0], computed(one.kind, whole)[0]);
              }
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('anomaly tests', () => {
  const ROWS = 30;
  const series = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 9 }) },
      { weight: 1, arbitrary: fc.constant(NaN) },
      { weight: 1, arbitrary: fc.constant(40) },
    ),
    { minLength: ROWS, maxLength: ROWS },
  );
  /** Present-day times, at which one nanosecond more or less is none. */
  const BASE = 1_400_000_400;
  const nanAverage = (values: readonly number[]): number => average(values.filter((value) => !Number.isNaN(value)));

  function found(call: string, values: readonly number[]): string | null {
    const buffer = new CircularBuffer(ROWS, 1, 60);
    for (const [i, value] of values.entries()) buffer.set((BASE + i * 60) * S, 1, value);
    const now = (BASE + (ROWS - 1) * 60) * S;
    const result = detect(now, 'G', buffer, parse_config(call));
    if (result === null) return null;
    expect(result[1]).toEqual([{ x: now / 1e6, col: 1, shortText: 'A', text: expect.any(String) as string }]);
    return result[0].split(' msg: ')[1] ?? '';
  }

  test('roc is as defined', () => {
    const bool = fc.boolean();
    fc.assert(
      fc.property(
        series,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom(0, 1, 2.5),
        bool,
        bool,
        (values, win, hwin, sd, loss, start) => {
          const [end, call] = [ROWS - 1, `roc("G", 1, ${win}, ${hwin}, ${sd}, ${loss}, ${start})`];
          const history = hwin === 0 ? end - 2 * win : hwin;
          if (win * 3 >= ROWS || history < win || 2 * win + history > end) {
            expect(() => found(call, values)).toThrow(RangeError);
            return;
          }
          const [current, previous] = [values.slice(end - win, end), values.slice(end - 2 * win, end - win)];
          const past = values.slice(end - 2 * win - history, end - 2 * win).filter((value) => !Number.isNaN(value));
          const some = (list: readonly number[]): boolean => list.some((value) => !Number.isNaN(value));
          const deviation = Math.sqrt(average(past.map((value) => (value - average(past)) ** 2)));
          const change = Math.abs(nanAverage(current) - nanAverage(previous));
          // Leave out cases that rounding decides.
          fc.pre(Number.isNaN(change) || change === deviation * sd || Math.abs(change - deviation * sd) > 1e-9);
          const kind =
            loss && some(previous) && !some(current)
              ? 'no new data'
              : start && !some(previous) && some(current)
                ? 'unexpected data'
                : change > deviation * sd
                  ? 'detected anomaly'
                  : null;
          const actual = found(call, values);
          if (kind === null) expect(actual).toBeNull();
          else expect(actual?.startsWith(kind)).toBe(true);
        },
      ),
    );
  });

  const windows = (values: readonly number[], win: number, nwin: number): number[][] =>
    Array.from({ length: nwin }, (_, k) => values.slice(ROWS - 1 - win * (k + 1), ROWS - 1 - win * k));

  test('mww is as defined', () => {
    fc.assert(
      fc.property(
        series,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 7 }),
        fc.constantFrom(0.01, 0.2, 0.4),
        fc.constantFrom('decreasing', 'increasing', 'any'),
        (values, win, nwin, p, trend) => {
          const call = `mww("G", 1, ${win}, ${nwin}, ${p}, ${trend})`;
          if (win * nwin >= ROWS) {
            expect(() => found(call, values)).toThrow(RangeError);
            return;
          }
          const [current = [], ...earlier] = windows(values, win, nwin);
          const hits = earlier.filter((window) => {
            const fall = nanAverage(window) - nanAverage(current);
            if (trend !== 'any' && !(trend === 'decreasing' ? fall > 0 : fall < 0)) return false;
            const result = rankTest(current, window, true);
            return result !== null && result[1] < p;
          });
          expect(found(call, values) !== null).toBe(hits.length > nwin / 4);
        },
      ),
    );
  });

  test('mww_nonparametric is as defined', () => {
    fc.assert(
      fc.property(
        series,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(0, 0.3, 0.5, 0.7),
        (values, win, nwin, pstat) => {
          fc.pre(win * nwin < ROWS);
          const [current = [], ...earlier] = windows(values, win, nwin);
          const parts = earlier
            .map((window) => rankTest(current, window, true))
            .flatMap((result) => (result === null ? [] : [result[0] / win ** 2 - 0.5]));
          const stat = parts.reduce((sum, part) => sum + part, 0) / (nwin - 1) + 0.5;
          fc.pre(Number.isNaN(stat) || Math.abs(stat - pstat) > 1e-9);
          const hit = (pstat < 0.5 && stat < pstat) || (pstat > 0.5 && stat > pstat);
          const actual = found(`mww_nonparametric("G", 1, ${win}, ${nwin}, ${pstat})`, values);
          if (hit) close(Number(actual?.split('pstat: ')[1]), Number(stat.toPrecision(6)));
          else expect(actual).toBeNull();
        },
      ),
    );
  });
});
