import { afterEach, describe, expect, it } from 'vitest';
import { NO_CELLS } from '../../../engine/store/cells.ts';
import { RecordFinder } from '../../../engine/store/search/finders.ts';
import { ticksOf } from '../../../engine/store/ticks.ts';
import { until } from '../../until.ts';
import type { Line } from './fixtures.ts';
import { append, closeAll, numbered, setUp, viewOf } from './search/search-fixtures.ts';

afterEach(closeAll);

describe('ticks', () => {
  it('stand where hits, marks, errors and warnings are', async () => {
    const store = setUp();
    const { view, search } = viewOf(store);
    const lines = Array.from({ length: 4000 }, (_unused, i): Line => ({
      at: 1000 + i,
      text: i === 1234 ? 'needle' : 'hay',
      ...(i >= 3000 && i < 3400 ? { status: 503 } : i === 105 ? { status: 404 } : { status: 200 }),
    }));
    for (let at = 0; at < 4000; at += 1000) await append(store, lines.slice(at, at + 1000));
    await until(() => view.complete);
    const found = search({ text: 'needle' });
    await until(() => found.progress.complete);
    const ticks = ticksOf(view, 400, { hits: (entry) => found.cells(entry), marks: new RecordFinder([7, 3999]) });
    const places = (list: readonly number[]): number[] => list.flatMap((share, bucket) => (share > 0 ? [bucket] : []));
    expect(places(ticks.hit)).toEqual([123]);
    expect(places(ticks.mark)).toEqual([0, 399]);
    expect(places(ticks.warning)).toEqual([10]);
    expect(places(ticks.error)).toEqual(Array.from({ length: 40 }, (_unused, i) => 300 + i));
    expect(ticks.error.slice(301, 339).every((share) => share > 0.7)).toBe(true);
  });

  it('stand at each row while the rows are few', async () => {
    const store = setUp();
    const { view } = viewOf(store);
    await append(store, numbered(100));
    await append(store, numbered(100, 100));
    const ticks = ticksOf(view, 1000, { hits: () => NO_CELLS, marks: new RecordFinder([5, 150]) });
    expect(ticks.mark).toEqual(numbered(200).map((_unused, row) => (row === 5 || row === 150 ? 1 : 0)));
    expect(ticks.error).toEqual(numbered(200).map(({ severity = 8 }) => (severity < 4 ? 1 : 0)));
    expect(ticks.warning).toEqual(numbered(200).map(({ severity }) => (severity === 4 ? 1 : 0)));
  });
});
