import { describe, expect, it } from 'vitest';
import { shorten } from '../../../../../renderer/src/state/filter/value-actions.ts';

describe('shorten', () => {
  it.each([
    ['a\n b', 'a b'],
    ['', '(empty)'],
    ['x'.repeat(50), `${'x'.repeat(40)}…`],
  ])('shortens %j', (value, short) => expect(shorten(value)).toBe(short));
});
