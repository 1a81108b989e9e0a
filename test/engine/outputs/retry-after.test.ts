import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../engine/outputs/retry-after.ts';

const NOW = Date.UTC(2026, 10, 23, 12, 0, 0);

describe('Retry-After', () => {
  it.each<[header: string, ms: number]>([
    ['', 0],
    ['0', 0],
    ['30', 30_000],
    [' 30 ', 30_000],
    ['1.5', 1_500],
    ['86400', 86_400_000],
    ['9'.repeat(400), Infinity],
    ['-5', 0],
    ['5 minutes', 0],
    ['1e9', 0],
    ['soon', 0],
    ['May 2099', 0],
    ['2099-01-01', 0],
    ['Mon, 23 Nov 2026 12:00:10 GMT', 10_000],
    ['Monday, 23-Nov-26 12:00:10 GMT', 10_000],
    ['Mon Nov 23 12:00:10 2026 GMT', 10_000],
    ['Mon, 23 Nov 2026 11:00:00 GMT', 0],
    ['Mon, 99 Nov 2026 12:00:10 GMT', 0],
  ])('"%s" is %d ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});
