import { describe, expect, it } from 'vitest';
import { PackedPieces } from '../../../engine/message/batch/packed.ts';
import { ofMessages } from '../../../engine/pipeline/piece-receipt.ts';

const bytes = (count: number): Uint8Array[] => Array.from({ length: count }, () => Uint8Array.of(1));

describe('the messages that pieces stand for', () => {
  it.each<[title: string, encoded: Parameters<typeof ofMessages>[0], rows: number[] | null, messages: number, through: number[]]>([
    ['one piece for each', ['a', 'b', 'c'], null, 3, [0, 1, 2, 3]],
    ['some have none, which is not said', ['a', 'b'], null, 3, [0, 0, 3]],
    ['a script leaves out the first', { pieces: bytes(2), rows: Uint32Array.from([1, 2]) }, null, 3, [1, 2, 3]],
    ['a script leaves out the one in the middle', { pieces: bytes(2), rows: Uint32Array.from([0, 2]) }, null, 3, [0, 2, 3]],
    ['a script leaves out the last', { pieces: bytes(2), rows: Uint32Array.from([0, 1]) }, null, 3, [0, 1, 3]],
    ['of selected rows', { pieces: bytes(2), rows: Uint32Array.from([4, 9]) }, [2, 4, 9], 3, [1, 2, 3]],
    ['packed, one for each', new PackedPieces(Uint8Array.of(1, 2, 3), Uint32Array.of(1, 2, 3)), null, 3, [0, 1, 2, 3]],
    ['none', { pieces: [], rows: Uint32Array.from([]) }, null, 2, [2]],
  ])('%s', (_title, encoded, rows, messages, expected) => {
    const { pieces, through } = ofMessages(encoded, rows === null ? null : Uint32Array.from(rows), messages);
    expect(Array.from({ length: pieces.length + 1 }, (_, count) => through(count))).toEqual(expected);
  });
});
