import { expect, it } from 'vitest';
import { plainObject } from '../../../engine/otlp/plain.ts';
import { int64 } from '../../../engine/otlp/types.ts';

it('has bytes and integers in the form of JSON', () => {
  const bytes = new Uint8Array([9, 0, 255]).subarray(1);
  expect(
    plainObject({ traceId: bytes, bytesValue: bytes, intValue: int64(-7n), list: [int64(1n), { a: 'x' }], none: null, n: 1.5 }),
  ).toEqual({
    ...{ traceId: '00ff', bytesValue: 'AP8=', intValue: -7n, list: [1n, { a: 'x' }], none: null, n: 1.5 },
  });
});
