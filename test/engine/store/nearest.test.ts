import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { nearestRow } from '../../../engine/store/nearest.ts';
import { AlarmFinder } from '../../../engine/store/search/finders.ts';
import { until } from '../../until.ts';
import type { Line } from './fixtures.ts';
import { append, closeAll, setUp, textsOf, viewOf, walk } from './search/search-fixtures.ts';

afterEach(closeAll);

describe('rows of several sources', () => {
  const source = fc.array(fc.record({ step: fc.integer({ min: -3, max: 4 }), hit: fc.boolean() }), { maxLength: 60 });

  it('are found, counted and located as in the merged list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(source, { minLength: 2, maxLength: 4 }), fc.integer({ min: 1, max: 25 }), async (lists, size) => {
        const store = setUp();
        const sources = lists.map((list, number) => {
          let at = 1000;
          return list.map(({ step, hit }, i): Line => ({
            at: (at += step),
            text: `${number}:${i}${hit ? ' hit' : ''}`,
            severity: hit ? 3 : 6,
          }));
        });
        for (let at = 0; at < 60; at += size) {
          for (const [number, list] of sources.entries()) if (at < list.length) await append(store, list.slice(at, at + size), number);
        }
        const { view, search } = viewOf(store);
        const texts = await textsOf(view);
        const expected = texts.flatMap((text, row) => (text.endsWith('hit') ? [row] : []));
        const found = search({ text: 'hit', word: true });
        await until(() => found.progress.complete);
        expect(await walk(found, true, -1)).toEqual(expected);
        expect(await walk(found, false, texts.length)).toEqual(expected.toReversed());
        for (let row = 0; row <= texts.length; row++) expect(await found.before(row)).toBe(expected.filter((hit) => hit < row).length);
        const errors = await nearestRow(store, view, new AlarmFinder('error'), -1, true);
        expect(errors?.row ?? null).toBe(expected[0] ?? null);
        const page = await view.page(0, texts.length);
        for (const [row, place] of page.entries()) expect(await view.locate(place.segment.firstId + place.row)).toBe(row);
      }),
      { numRuns: 40 },
    );
  });
});
