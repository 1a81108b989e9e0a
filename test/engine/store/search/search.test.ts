import { afterEach, describe, expect, it } from 'vitest';
import type { TextQuery } from '../../../../engine/api/types.ts';
import { until } from '../../../until.ts';
import { append, closeAll, numbered, setUp, textsOf, viewOf, walk } from './search-fixtures.ts';

afterEach(closeAll);

describe('ViewSearch', () => {
  it.each<{ title: string; query: TextQuery; keep: (text: string) => boolean }>([
    { title: 'a text in any case', query: { text: 'LINE 12' }, keep: (text) => text.startsWith('line 12') },
    { title: 'a text in its case', query: { text: 'LINE 12', caseSensitive: true }, keep: () => false },
    { title: 'a whole word', query: { text: '12', word: true }, keep: (text) => text === 'line 12' },
    { title: 'an expression', query: { text: '(00|11)$', regex: true }, keep: (text) => /(00|11)$/.test(text) },
    { title: 'an expression as a whole word', query: { text: '1|12', regex: true, word: true }, keep: (text) => /\b(1|12)\b/.test(text) },
    { title: 'a text that all have', query: { text: 'line' }, keep: () => true },
  ])('counts $title, and goes from hit to hit', async ({ query, keep }) => {
    const store = setUp();
    const { view, search } = viewOf(store);
    for (let at = 0; at < 3000; at += 750) await append(store, numbered(750, at));
    const expected = (await textsOf(view)).flatMap((text, row) => (keep(text) ? [row] : []));
    const found = search(query, 1600);
    await until(() => found.progress.complete);
    expect(found.progress).toEqual({ hits: expected.length, scanned: 3000, total: 3000, complete: true });
    if (expected.length === 3000) return;
    expect(await walk(found, true, -1)).toEqual(expected);
    expect(await walk(found, false, 3000)).toEqual(expected.toReversed());
    for (const row of [0, 1, 749, 750, 2999]) expect(await found.before(row)).toBe(expected.filter((hit) => hit < row).length);
  });

  it('finds what is near before it has counted all, and goes round the ends', async () => {
    const store = setUp();
    const { view, search } = viewOf(store);
    for (let at = 0; at < 9000; at += 3000) await append(store, numbered(3000, at));
    await until(() => view.complete);
    const found = search({ text: 'line 40' }, 5000);
    expect(await found.nearest(5000, true)).toEqual({ row: 40, wrapped: true });
    expect(await found.nearest(40, false)).toEqual({ row: 4099, wrapped: true });
    expect(await search({ text: 'nothing' }).nearest(3, true)).toBeNull();
  });

  it('goes on with records that come, and with another query of the view', async () => {
    const store = setUp();
    const { view, search } = viewOf(store);
    const found = search({ text: '7' });
    for (let i = 0; i < 700; i++) await append(store, numbered(1, i));
    const sevens = numbered(700).filter(({ text }) => text.includes('7'));
    await until(() => found.progress.complete && found.progress.total === 700);
    expect(found.progress.hits).toBe(sevens.length);
    view.setQuery({ matcher: 'Severity == 3' });
    await until(() => view.complete && found.progress.complete);
    expect(found.progress.hits).toBe(sevens.filter(({ severity }) => severity === 3).length);
  });

  it('finds nothing more when it is closed', async () => {
    const store = setUp();
    const { search } = viewOf(store);
    await append(store, numbered(100));
    const found = search({ text: 'line' });
    found.close();
    expect(await found.nearest(3, true)).toBeNull();
  });

  it.each<[TextQuery, string]>([
    [{ text: '(abc', regex: true }, 'Regular expression: missing closing ) at (abc'],
    [{ text: 'a)(b', regex: true, word: true }, 'Regular expression: unexpected ) at a)(b'],
    [{ text: 'a(?=b)', regex: true }, 'Regular expression: look-ahead and look-behind are not supported at (?='],
    [{ text: '(?<!a)b', regex: true, word: true }, 'Regular expression: look-ahead and look-behind are not supported at (?<!a)b'],
    [{ text: '(a)\\1', regex: true }, 'Regular expression: back-references are not supported at \\1'],
    [{ text: '(?>a)', regex: true }, 'Regular expression: atomic groups are not supported at (?>'],
    [{ text: '*', regex: true, caseSensitive: true }, 'Regular expression: missing argument to repetition operator at *'],
  ])('speaks of what was typed: %o', (query, message) => {
    const store = setUp();
    expect(() => viewOf(store).search(query)).toThrow(expect.objectContaining({ code: 'query.regex', message }));
  });
});
