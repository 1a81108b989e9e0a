import { describe, expect, it } from 'vitest';
import { joined, type Piece } from '../../../engine/outputs/writers.ts';

describe('pieces as bytes', () => {
  const memory = Buffer.from('one, two, three');
  const other = Buffer.from('two, ');
  it.each<[string, Piece[], string]>([
    ['none', [], ''],
    ['one', [memory.subarray(5, 10)], 'two, '],
    [
      'behind each other in memory',
      [memory.subarray(0, 5), memory.subarray(5, 5), memory.subarray(5, 10), memory.subarray(10)],
      'one, two, three',
    ],
    ['with a gap', [memory.subarray(0, 5), memory.subarray(10)], 'one, three'],
    ['in another order', [memory.subarray(5, 10), memory.subarray(0, 5)], 'two, one, '],
    ['twice the same', [memory.subarray(0, 5), memory.subarray(0, 5)], 'one, one, '],
    ['of two memories', [memory.subarray(0, 5), other, memory.subarray(10)], 'one, two, three'],
    ['texts among them', [memory.subarray(0, 5), 'zwei, ', memory.subarray(10)], 'one, zwei, three'],
    ['texts alone', ['eins', 'ü'], 'einsü'],
  ])('%s', (_title, pieces, text) => expect(joined(pieces).toString()).toBe(text));

  it('are not copied when they lie in memory like that', () => {
    const whole = joined([memory.subarray(0, 5), memory.subarray(5, 10)]);
    expect([whole.buffer, whole.byteOffset, whole.length]).toEqual([memory.buffer, memory.byteOffset, 10]);
  });
});
