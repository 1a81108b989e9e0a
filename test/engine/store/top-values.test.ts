import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TopValues } from '../../../engine/api/types.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import { ValueCount } from '../../../engine/store/top-values.ts';
import type { RecordView } from '../../../engine/store/view.ts';
import type { Line } from './fixtures.ts';
import { until } from '../../until.ts';
import { closeAll, setUp, START, lines } from './value-fixtures.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeAll();
});

describe('ValueCount', () => {
  async function count(store: RecordStore, view: RecordView, variable: string, limit = 100, budget = 0.01): Promise<TopValues> {
    const counting = new ValueCount(store, view, variable);
    while (!counting.complete) await counting.advance(budget);
    return counting.top(limit);
  }

  it('counts in slices what a plain count counts, over what the view shows', async () => {
    const { store, append, view } = setUp();
    for (const from of [0, 900, 1800]) await append(lines(900, from));
    const some = view({ matcher: 'Severity == 2' });
    await until(() => some.complete);
    const expected = new Map<string, number>();
    const shown = [0, 900, 1800].flatMap((from) => lines(900, from)).filter(({ severity }) => severity === 2);
    for (const { status } of shown) if (status !== undefined) expected.set(`${status}`, (expected.get(`${status}`) ?? 0) + 1);
    const top = await count(store, some, 'Fields[status]');
    expect(new Map(top.items.map(({ value, count: number }) => [value, number]))).toEqual(expected);
    expect(top).toMatchObject({ total: shown.length, records: shown.length, exact: true, complete: true, distinct: expected.size });
    expect(top.missing).toBe(shown.filter(({ status }) => status === undefined).length);
    expect((await count(store, some, 'status', 2)).items).toEqual(top.items.slice(0, 2));
  });

  it('drops the rarest of very many values, and says so', async () => {
    const { store, append, view } = setUp();
    const many = Array.from({ length: 120_000 }, (_unused, i): Line => ({ at: START, text: '', status: i % 3 === 0 ? 7 : i + 10 }));
    for (let at = 0; at < many.length; at += 20_000) await append(many.slice(at, at + 20_000));
    const all = view();
    await until(() => all.complete);
    const top = await count(store, all, 'status', 1, 50);
    expect(top.items).toEqual([{ value: '7', count: 40_000 }]);
    expect(top.exact).toBe(false);
    expect(top.distinct).toBeLessThanOrEqual(50_001);
  });
});
