import { describe, expect, it } from 'vitest';
import { wheelPixels } from '../../../../../../renderer/src/views/logs/table/wheel.ts';

describe('wheelPixels', () => {
  it.each([
    [0, 100, 100],
    [1, 3, 72],
    [2, 1, 480],
  ])('in mode %d by %d is %d pixels', (deltaMode, deltaY, pixels) => {
    expect(wheelPixels({ deltaMode, deltaY }, 480)).toBe(pixels);
  });
});
