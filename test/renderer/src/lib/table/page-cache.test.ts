import { describe, expect, it } from 'vitest';
import { PageCache } from '../../../../../renderer/src/lib/table/page-cache.ts';

describe('PageCache', () => {
  it('gives a slice over pages, or nothing when a part is missing', () => {
    const cache = new PageCache<number>(3, 10);
    cache.put(0, [0, 1, 2], 1, 9);
    cache.put(1, [3, 4, 5], 1, 9);
    expect(cache.slice(1, 5)).toEqual([1, 2, 3, 4]);
    expect(cache.slice(4, 8)).toBeNull();
    expect(cache.slice(2, 2)).toEqual([]);
  });

  it('drops the least recently used page', () => {
    const cache = new PageCache<number>(1, 2);
    cache.put(0, [0], 1, 3);
    cache.put(1, [1], 1, 3);
    cache.get(0);
    cache.put(2, [2], 1, 3);
    expect([cache.get(0), cache.get(1), cache.get(2)]).toEqual([0, undefined, 2]);
  });

  it('asks for absent, stale and grown pages only', () => {
    const cache = new PageCache<number>(3, 10);
    cache.put(0, [0, 1, 2], 2, 5);
    cache.put(1, [3, 4], 2, 5);
    expect(cache.missing(0, 5, 5, 2)).toEqual([]);
    expect(cache.missing(0, 6, 6, 2)).toEqual([1]);
    expect(cache.missing(0, 5, 5, 3)).toEqual([0, 1]);
    expect(cache.missing(0, 9, 9, 2)).toEqual([1, 2]);
  });

  it('does not ask again for a page that is short although the list said more', () => {
    const cache = new PageCache<number>(3, 10);
    cache.put(0, [0], 1, 3);
    expect(cache.missing(0, 3, 3, 1)).toEqual([]);
  });
});
