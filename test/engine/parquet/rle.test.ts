import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingBytes } from '../../../engine/parquet/growing.ts';
import { readRuns } from '../../../engine/parquet/read/runs.ts';
import { bitWidth, RunEncoder } from '../../../engine/parquet/rle.ts';

function encoded(bits: number, runs: readonly (readonly [value: number, count: number])[]): Buffer {
  const out = new GrowingBytes();
  const encoder = new RunEncoder(out, bits);
  for (const [value, count] of runs) encoder.add(value, count);
  encoder.end();
  return out.view();
}

describe('RunEncoder', () => {
  it.each<[string, number, [number, number][], number[]]>([
    ['repetitions', 3, [[5, 20]], [40, 5]],
    // 0 to 7 as the format's page packs them.
    ['groups of eight', 3, [0, 1, 2, 3, 4, 5, 6, 7].map((value) => [value, 1]), [3, 0x88, 0xc6, 0xfa]],
    ['two bytes for a value', 9, [[300, 8]], [16, 44, 1]],
    ['nothing', 3, [], []],
  ])('writes %s', (_what, bits, runs, bytes) => expect([...encoded(bits, runs)]).toEqual(bytes));

  it('writes what is read back', () => {
    const of = fc
      .integer({ min: 1, max: 32 })
      .chain((bits) =>
        fc.tuple(
          fc.constant(bits),
          fc.array(fc.tuple(fc.nat(2 ** Math.min(bits, 31) - 1), fc.integer({ min: 1, max: 600 })), { maxLength: 20 }),
        ),
      );
    fc.assert(
      fc.property(of, ([bits, runs]) => {
        const values = runs.flatMap(([value, count]) => Array.from({ length: count }, () => value));
        expect([...readRuns(encoded(bits, runs), bits, values.length)]).toEqual(values);
      }),
    );
  });
});

it.each([
  [0, 0],
  [1, 1],
  [7, 3],
  [8, 4],
  [2 ** 32 - 1, 32],
])('numbers up to %i take %i bits', (highest, bits) => expect(bitWidth(highest)).toBe(bits));
