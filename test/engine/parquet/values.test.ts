import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BlobStore,
  BoolStore,
  doubleBounds,
  int32Bounds,
  int64Bounds,
  NumberStore,
  UuidStore,
  type Bounds,
  type StoredValues,
} from '../../../engine/parquet/values.ts';

/** All values in their order, each as its bytes in hexadecimal. */
function listed({ plain, ids, distinct, after }: StoredValues, count: number, isBlob = false): string[] {
  const all: string[] = [];
  let at = 0;
  for (let i = 0; i < (ids === null ? count : distinct); i++) {
    const to = after(at, 1);
    all.push(plain.toString('hex', isBlob ? at + 4 : at, to));
    at = to;
  }
  return ids === null ? all : Array.from(ids, (id) => all[id] as string);
}

describe('BlobStore', () => {
  const blob = fc.oneof(
    fc.constantFrom('a', 'bb', ''),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );

  it('has all values in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(blob, fc.integer({ min: 1, max: 4 })), { maxLength: 40 }), (values) => {
        const store = new BlobStore();
        for (const [value, times] of values) store.add(Buffer.from(`<${value}>`, 'latin1'), 1, value.length + 1, times);
        const expected = values.flatMap(([value, times]) => Array<string>(times).fill(Buffer.from(value, 'latin1').toString('hex')));
        expect(listed(store.finish(), expected.length, true)).toEqual(expected);
      }),
    );
  });

  it('has bounds by bytes, unless they are long', () => {
    const boundsOf = (...values: string[]): string[] | null => {
      const store = new BlobStore();
      for (const value of values) store.add(Buffer.from(value), 0, Buffer.byteLength(value));
      const { bounds } = store.finish();
      return bounds && [bounds.min, bounds.max].map((bytes) => Buffer.from(bytes).toString());
    };
    expect(boundsOf('b', 'a', 'é', 'ab')).toEqual(['a', 'é']);
    expect(boundsOf('', 'a')).toEqual(['', 'a']);
    expect([boundsOf(), boundsOf('a', 'x'.repeat(129))]).toEqual([null, null]);
  });
});

describe('NumberStore', () => {
  it('has all values in their order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.oneof(fc.constantFrom(0, 1), fc.double()), fc.integer({ min: 1, max: 3 })), { maxLength: 40 }),
        (values) => {
          const store = new NumberStore(2, doubleBounds);
          for (const [value, times] of values) {
            const words = new Int32Array(Float64Array.of(value).buffer);
            if (times === 1) store.add(words, 0, 1);
            else store.addRepeated(words, times);
          }
          const expected = values.flatMap(([value, times]) =>
            Array<string>(times).fill(Buffer.from(Float64Array.of(value).buffer).toString('hex')),
          );
          expect(listed(store.finish(), expected.length)).toEqual(expected);
        },
      ),
    );
  });

  it('knows whether all are whole', () => {
    const isWhole = (...values: number[]): boolean => {
      const store = new NumberStore(2, doubleBounds);
      store.add(new Int32Array(Float64Array.from(values).buffer), 0, values.length);
      return store.isWhole;
    };
    expect([isWhole(1, 2), isWhole(), isWhole(1.5), isWhole(-0), isWhole(2 ** 53), isWhole(NaN)]).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

it('a BoolStore has a bit for each value', () => {
  const store = new BoolStore();
  store.add(Uint8Array.of(9, 1, 0, 1), 1, 4);
  store.add(Uint8Array.of(1, 1, 1, 1, 1, 1), 0, 6);
  const { plain, bounds } = store.finish();
  expect([...plain]).toEqual([0b11111101, 0b1]);
  expect([bounds?.min[0], bounds?.max[0], new BoolStore().finish().bounds]).toEqual([0, 1, null]);
});

it('a UuidStore has values of 16 bytes', () => {
  const store = new UuidStore();
  store.add(new Uint8Array(32).fill(7));
  expect([store.bytes, store.finish().after(0, 2), store.finish().ids]).toEqual([32, 32, null]);
});

describe('bounds', () => {
  const shown = (bounds: Bounds | null, of: (bytes: Buffer) => bigint | number): unknown =>
    bounds && [of(Buffer.from(bounds.min)), of(Buffer.from(bounds.max))];

  it('of integers', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 6 }), (values) => {
        const sorted = values.toSorted((a, b) => (a < b ? -1 : 1));
        const words = new Int32Array(BigInt64Array.from(values).buffer);
        expect(shown(int64Bounds(words), (bytes) => bytes.readBigInt64LE())).toEqual([sorted[0], sorted.at(-1)]);
      }),
    );
    expect(shown(int32Bounds(Int32Array.of(5, -7, 9)), (bytes) => bytes.readInt32LE())).toEqual([-7, 9]);
    expect([int32Bounds(new Int32Array()), int64Bounds(new Int32Array())]).toEqual([null, null]);
  });

  it.each<[values: number[], bounds: number[] | null]>([
    [
      [1, -2.5],
      [-2.5, 1],
    ],
    [[0], [-0, 0]],
    [
      [-0, 5],
      [-0, 5],
    ],
    [
      [-3, -0],
      [-3, 0],
    ],
    [[1, NaN], null],
    [[], null],
  ])('of the doubles %j', (values, bounds) => {
    expect(shown(doubleBounds(new Int32Array(Float64Array.from(values).buffer)), (bytes) => bytes.readDoubleLE())).toEqual(bounds);
  });
});
