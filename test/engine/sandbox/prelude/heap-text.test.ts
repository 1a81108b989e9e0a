import { expect, test } from 'vitest';
import { inHeap } from '../../../../engine/sandbox/prelude/heap-text.ts';

test.each([0, 1, 4095, 4096, 4097, 1 << 20, (1 << 20) + 1])('a text of %i code units stays what it is', (length) => {
  for (const part of ['a', 'é', 'Ж', '😀', '\ud83d']) {
    const text = part.repeat(length).slice(0, length);
    expect(inHeap(text) === text).toBe(true);
  }
});
