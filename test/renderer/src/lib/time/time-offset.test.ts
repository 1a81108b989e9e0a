import { describe, expect, it } from 'vitest';
import { offsetText, readOffset } from '../../../../../renderer/src/lib/time/time-offset.ts';

describe('the offset of a clock', () => {
  it.each([
    ['', 0, ''],
    ['2h', 7200, '+2 h'],
    ['+2 h', 7200, '+2 h'],
    ['-1h 30min', -5400, '−1 h 30 min'],
    ['−90s', -90, '−1 min 30 s'],
    ['1d', 86_400, '+1 d'],
    ['0.5 s', 0.5, '+500 ms'],
    ['1.5h', 5400, '+1 h 30 min'],
    ['250 ms', 0.25, '+250 ms'],
    ['90m', 5400, '+1 h 30 min'],
  ])('is read from %j as %d s, and is told as %j', (text, seconds, told) => {
    expect(readOffset(text)).toBe(seconds);
    expect(offsetText(seconds)).toBe(told);
    expect(readOffset(told)).toBe(seconds);
  });

  it.each(['2', 'two hours', 'h', '2x', '1h-', '99999999d', '2h x'])('is none in %j', (text) => {
    expect(readOffset(text)).toBeNull();
  });
});
