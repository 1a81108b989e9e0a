import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HyperLogLog } from '../../../plugins/modules/hyperloglog.ts';
import { MurmurHash } from '../../../plugins/base/murmur_hash.ts';
import { writeUtf8 } from '../../../plugins/base/utf8_bytes.ts';

function hash(bytes: Uint8Array): string {
  const murmur = new MurmurHash();
  murmur.update(bytes, bytes.length);
  return [murmur.high, murmur.low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

test.each([
  ['', 'd8dfea6585bc9732'],
  ['a', '53d2470a9b43b1a7'],
  ['user-1', '7ab4cb62301c005a'],
  ['hello world', 'a919bc3051f624b7'],
])('the hash of %j', (text, expected) => {
  expect(hash(new TextEncoder().encode(text))).toBe(expected);
});

test('the hash of a number is that of its bits', () => {
  expect(hash(new Uint8Array(Float64Array.of(42).buffer))).toBe('cc6ccbe5af334b39');
});

describe('estimates', () => {
  test.each([
    [3, 3],
    [10, 10],
    [100, 100],
    [1000, 1004],
    [10_000, 9952],
    [50_000, 49_914],
    [100_000, 100_156],
  ])('of %i items', (count, expected) => {
    const estimator = new HyperLogLog();
    for (let i = 1; i <= count; i++) estimator.add(`user-${i}`);
    expect(estimator.count()).toBe(expected);
    expect(HyperLogLog.fromSaved(estimator.toSaved()).count()).toBe(expected);
    expect(estimator.add('user-1')).toBe(false);
    estimator.clear();
    expect(estimator.count()).toBe(0);
  });

  test('tell numbers from texts, and count long texts', () => {
    const estimator = new HyperLogLog();
    expect([1, '1', 1, '1', 'ü'.repeat(5000), 'ü'.repeat(5000)].map((item) => estimator.add(item))).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  test.each(['', '0'.repeat(16_383), 'x'.repeat(16_384)])('are not restored from other texts', (saved) => {
    expect(() => HyperLogLog.fromSaved(saved)).toThrow('not a saved estimator');
  });
});

test('UTF-8 as the platform writes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = new Uint8Array(text.length * 3);
      expect(bytes.subarray(0, writeUtf8(text, bytes))).toEqual(new TextEncoder().encode(text));
    }),
  );
});
