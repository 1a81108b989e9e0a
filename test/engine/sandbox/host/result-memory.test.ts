import { expect, test } from 'vitest';
import { ResultMemory } from '../../../../engine/sandbox/host/result-memory.ts';

test('memory is shared once a result was large, and larger memory when one does not fit', () => {
  let times = 0;
  const memory = new ResultMemory(() => void times++);
  const brings = (size: number): number => {
    memory.taken(['{}', '', new ArrayBuffer(size)]);
    memory.fit();
    return times;
  };
  expect(brings(100)).toBe(0);
  expect(brings(100_000)).toBe(1);
  expect(brings(100_000)).toBe(1);
  expect(brings(500_000)).toBe(2);
  expect(brings(100_000)).toBe(2);
  expect(brings(8 << 20)).toBe(2);
});

test.each([-1, 1.5, Number.NaN, Infinity, 2 ** 40, -Infinity])('a result of %s bytes lies in the shared memory', (bytes) => {
  const memory = new ResultMemory(() => undefined);
  expect(memory.taken(['{}', '', bytes])[2].byteLength).toBe(0);
  memory.taken(['{}', '', new ArrayBuffer(20_000)]);
  memory.fit();
  expect(memory.taken(['{}', '', bytes])[2].byteLength).toBeLessThanOrEqual(32_768);
});
