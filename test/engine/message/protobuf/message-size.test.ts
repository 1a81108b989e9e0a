import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { encodedBytes, encodedLength } from '../../../../engine/message/protobuf/message-size.ts';
import { encodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { message, messages } from '../arbitraries.ts';

it('A message is as long as it is when it is encoded', () => {
  fc.assert(
    fc.property(message(), (any) => {
      expect(encodedLength(any)).toBe(encodeMessage(any).length);
    }),
    { numRuns: 1000 },
  );
});

it('Values and texts around the places where lengths get a further byte count as they are written', () => {
  const head = { uuid: new Uint8Array(16), timestamp: 1n };
  for (const bits of [7, 14, 21, 28, 35, 42, 49, 56, 63]) {
    for (const value of [2n ** BigInt(bits) - 1n, BigInt.asIntN(64, 2n ** BigInt(bits)), -(2n ** BigInt(bits - 1))]) {
      const any = { ...head, timestamp: value, fields: [{ name: 'n', valueType: 2 as const, values: [value, value] }] };
      expect(encodedLength(any)).toBe(encodeMessage(any).length);
    }
  }
  for (const length of [0, 1, 63, 64, 127, 128, 16_383, 16_384]) {
    for (const text of ['a', 'ü', '€', '😀', '\ud800'].map((unit) => unit.repeat(length))) {
      const any = { ...head, payload: text, fields: [{ name: text, valueType: 0 as const, values: [text, ''] }] };
      expect(encodedLength(any)).toBe(encodeMessage(any).length);
    }
  }
});

it('A batch takes what its messages take', () => {
  fc.assert(
    fc.property(messages(), (all) => {
      const batch = batchOf(all);
      const encoded = Array.from({ length: batch.length }, (_, row) => encodeMessage(batch.message(row)).length);
      expect(encodedBytes(batch)).toBe(encoded.reduce((sum, length) => sum + length, 0));
    }),
  );
});
