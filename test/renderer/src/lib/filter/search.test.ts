import { describe, expect, it } from 'vitest';
import { countText } from '../../../../../renderer/src/lib/filter/search.ts';

describe('countText', () => {
  it.each([
    [{ hits: 12_056, scanned: 1e6, total: 1e6, complete: true }, 17, '17 of 12,056'],
    [{ hits: 12_056, scanned: 1e6, total: 1e6, complete: true }, null, '12,056 records'],
    [{ hits: 0, scanned: 1e6, total: 1e6, complete: true }, null, 'Not found'],
    [{ hits: 1, scanned: 5, total: 5, complete: true }, null, '1 record'],
    [{ hits: 56, scanned: 250_000, total: 1e6, complete: false }, 17, '17 of 56 in 25 %'],
    [{ hits: 0, scanned: 0, total: 0, complete: false }, null, '0 records in 0 %'],
  ])('%o, hit %s: %s', (count, number, text) => expect(countText(count, number)).toBe(text));
});
