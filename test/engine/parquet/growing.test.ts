import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingBytes, GrowingWords } from '../../../engine/parquet/growing.ts';
import { ByteReader } from '../../../engine/parquet/read/byte-reader.ts';

it('bytes hold all that was added, however they grow', () => {
  const piece = fc.oneof(
    fc.record({ byte: fc.nat(255) }),
    fc.record({ word: fc.nat(2 ** 31 - 1) }),
    fc.record({ varint: fc.nat(Number.MAX_SAFE_INTEGER) }),
    fc.record({ bytes: fc.uint8Array({ maxLength: 60 }) }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(9), (pieces, capacity) => {
      const out = new GrowingBytes(capacity);
      for (const one of pieces) {
        if ('byte' in one) out.byte(one.byte);
        else if ('word' in one) out.word(one.word);
        else if ('varint' in one) out.varint(one.varint);
        else out.bytes(one.bytes);
      }
      const reader = new ByteReader(out.view());
      for (const one of pieces) {
        if ('byte' in one) expect(reader.byte()).toBe(one.byte);
        else if ('word' in one) expect(reader.word()).toBe(one.word);
        else if ('varint' in one) expect(reader.varint()).toBe(one.varint);
        else expect([...reader.take(one.bytes.length)]).toEqual([...one.bytes]);
      }
      expect(reader.at).toBe(out.length);
    }),
  );
});

it.each([1, 23, 24, 300])('a part of %i bytes of others is added', (count) => {
  const source = Uint8Array.from({ length: 400 }, (_, i) => i & 255);
  const out = new GrowingBytes(1);
  out.bytes(source, 7, 7 + count);
  expect([...out.view()]).toEqual([...source.slice(7, 7 + count)]);
});

it('words hold all that was added', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2 ** 31), fc.nat(200)), { maxLength: 20 }), (runs) => {
      const words = new GrowingWords();
      for (const [value, count] of runs) {
        words.push(value);
        words.repeat(value, count);
      }
      expect([...words.view()]).toEqual(runs.flatMap(([value, count]) => Array.from({ length: count + 1 }, () => value)));
    }),
  );
});
