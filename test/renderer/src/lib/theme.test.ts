import { describe, expect, it } from 'vitest';
import { withAlpha } from '../../../../renderer/src/lib/theme.ts';

describe('withAlpha', () => {
  it('makes colours transparent', () => {
    expect(withAlpha('rgb(1, 2, 3)', 0.5)).toBe('rgba(1, 2, 3, 0.5)');
    expect(withAlpha('color(srgb 1 0 0)', 0.5)).toBe('color(srgb 1 0 0)');
  });
});
