import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../../../../renderer/src/lib/filter/filter.ts';
import { filesText, firstFilter, readPast, SESSION, type PastSession } from '../../../../../renderer/src/lib/sources/past-session.ts';
import { writeSaved, type TextStore } from '../../../../../renderer/src/lib/sources/saved.ts';

function newStore(): TextStore {
  const values = new Map<string, string>();
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
}

const FILTER = { ...NO_FILTER, text: 'GET', sources: [3], after: 7 };
const PAST: PastSession = { files: ['/var/log/a.log'], filter: FILTER, only: [], place: { row: 3, time: 1000 }, range: null, last: null };

describe('the session before', () => {
  it('is there when it had files', () => {
    const store = newStore();
    expect(readPast(store)).toBeNull();
    writeSaved(store, SESSION, PAST);
    expect(readPast(store)).toEqual(PAST);
    writeSaved(store, SESSION, { ...PAST, files: [] });
    expect(readPast(store)).toBeNull();
    writeSaved(store, SESSION, { ...PAST, place: { row: 'constructor' } });
    expect(readPast(store)).toBeNull();
  });

  it('keeps its filter back while its files are not open', () => {
    const store = newStore();
    writeSaved(store, 'filter', FILTER);
    expect(firstFilter(store)).toEqual({ ...FILTER, sources: [], after: null });
    writeSaved(store, SESSION, PAST);
    expect(firstFilter(store)).toEqual(NO_FILTER);
  });

  it('names its files', () => {
    expect(filesText(['/a/b.log'])).toBe('b.log');
    expect(filesText(['/a/b.log', String.raw`C:\logs\c.log`])).toBe('b.log and c.log');
    expect(filesText(['/a/1', '/a/2', '/a/3'])).toBe('1 and 2 others');
  });
});
