import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Text } from '../../../plugins/base/utf8_text.ts';

test('bytes as a TextDecoder reads them, and each byte that is none as U+FFFD', () => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const read = (bytes: Uint8Array): string | null => {
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  };
  const texts = fc.string({ unit: 'binary', maxLength: 4 }).map((text) => new TextEncoder().encode(text));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 6 }), texts), (bytes) => {
      const expected = read(bytes);
      if (expected === null) expect(utf8Text(bytes)).toContain('\ufffd');
      else expect(utf8Text(bytes)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test.each<[bytes: number[], text: string]>([
  [[0xc0, 0x80], '\ufffd\ufffd'],
  [[0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
  [[0xf4, 0x90, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd'],
  [[0xe2, 0x82], '\ufffd\ufffd'],
  [[0x61, 0xff, 0x62], 'a\ufffdb'],
  [[0xf0, 0x9f, 0x98, 0x80], '😀'],
])('%j', (bytes, text) => {
  expect(utf8Text(Uint8Array.from(bytes))).toBe(text);
});
