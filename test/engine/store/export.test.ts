import { afterEach, describe, expect, it } from 'vitest';
import { recordText } from '../../../engine/store/export.ts';
import { append, numberedLines, StoreBench } from './fixtures.ts';
import { until } from '../../until.ts';

const bench = new StoreBench();
afterEach(() => bench.close());

const FORM = { columns: [], labelOf: () => '', notes: new Map<number, string>() };

describe('records as one text', () => {
  it.each([
    ['all that are wanted', { start: 3, count: 4, most: 1000 }, [3, 4]],
    ['more than there are', { start: 390, count: 50, most: 10_000 }, [390, 10]],
    ['from behind the last one', { start: 400, count: 5, most: 1000 }, [400, 0]],
    ['those of the pieces that fit', { start: 0, count: 400, most: 2000 }, [0, 200]],
    ['the first one, when no piece fits', { start: 7, count: 400, most: 5 }, [7, 1]],
  ])('are %s', async (_what, range, [first, count]) => {
    const { store, view } = bench.setUp();
    for (let from = 0; from < 400; from += 80) await append(store, numberedLines(80, from));
    const all = view();
    await until(() => all.complete);
    const wanted = Array.from({ length: count as number }, (_, i) => `line ${(first as number) + i}\n`).join('');
    expect(await recordText(all, { ...FORM, format: 'raw' }, range)).toEqual({ text: wanted, count });
  });

  it('may be JSON', async () => {
    const { store, view } = bench.setUp();
    await append(store, numberedLines(3));
    const all = view();
    await until(() => all.complete);
    const { text, count } = await recordText(all, { ...FORM, format: 'json' }, { start: 1, count: 2, most: 10_000 });
    const lines = text.trimEnd().split('\n');
    expect([lines.length, count]).toEqual([2, 2]);
    expect(lines.map((line) => (JSON.parse(line) as { Timestamp: string }).Timestamp)).toEqual(['1001000000000', '1002000000000']);
  });
});
