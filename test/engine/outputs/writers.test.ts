import { describe, expect, it } from 'vitest';
import { PackedPieces } from '../../../engine/message/batch/packed.ts';
import { asLines, joined, type Piece } from '../../../engine/outputs/writers.ts';

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

describe('packed pieces', () => {
  const packed = (...texts: string[]): PackedPieces => {
    let end = 0;
    return new PackedPieces(
      Buffer.from(texts.join('')),
      Uint32Array.from(texts, ({ length }) => (end += length)),
    );
  };
  const textsOf = (pieces: Iterable<Piece>): string[] => Array.from(pieces, (piece) => Buffer.from(piece).toString());

  it('are their bytes, which are not copied', () => {
    const pieces = packed('one, ', '', 'two');
    const whole = joined(pieces);
    expect(whole.toString()).toBe('one, two');
    expect(whole.buffer).toBe(pieces.bytes.buffer);
    expect(textsOf(pieces)).toEqual(['one, ', '', 'two']);
  });

  it('are cut without copying', () => {
    const part = packed('one', 'two', '', 'three', 'four').slice(1, 4);
    expect([part.length, ...textsOf(part)]).toEqual([3, 'two', '', 'three']);
    expect(joined(part).toString()).toBe('twothree');
    expect(textsOf(packed('one').slice(0, 0))).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['all of them lines', ['one\n', 'two\n']],
    ['one without an end', ['one\n', 'two', 'three\n']],
    ['an empty one between lines', ['one\n', '', 'two\n']],
    ['none', []],
  ])('become the same lines as others: %s', (_, texts) =>
    expect(joined(asLines(packed(...texts))).toString()).toBe(joined(asLines(texts)).toString()),
  );
});
