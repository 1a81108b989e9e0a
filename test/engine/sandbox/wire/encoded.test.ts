import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodedResult } from '../../../../engine/sandbox/wire/encoded.ts';
import { ForgedResultError } from '../../../../engine/sandbox/contract/errors.ts';
import type { ResultHead } from '../../../../engine/sandbox/contract/protocol.ts';
import { genuine, frameOf } from './genuine.ts';

test('a forged encoding is refused, or is whole', () => {
  const number = fc.oneof(fc.integer({ min: -2, max: 40 }), fc.constantFrom(2 ** 32, 1.5, null));
  const place = fc.record({
    count: number,
    rows: number,
    lengths: number,
    forms: number,
    from: number,
    to: number,
    bytes: number,
    bytesLength: number,
  });
  fc.assert(
    fc.property(place, fc.uint8Array({ minLength: 64, maxLength: 64 }), (encoded, bytes) => {
      const { head } = genuine();
      const frame = frameOf({ ...head, encoded }, new Uint8Array(bytes).buffer, 'abcde');
      try {
        const received = {
          head: { ...head, passed: 0, encoded: encoded as ResultHead['encoded'] },
          injected: null,
          origins: null,
          kinds: null,
          ownUuids: null,
        };
        const { encoded: rows } = encodedResult(frame, received, 3, null);
        expect(rows?.ends.at(-1) ?? 0).toBe(rows?.bytes.length ?? 0);
      } catch (error) {
        expect(error).toBeInstanceOf(ForgedResultError);
      }
    }),
    { numRuns: 3000 },
  );
});
