import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { takeRows } from '../../../../engine/message/batch/gather.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import { decodeBatch, WireError } from '../../../../engine/message/batch/wire.ts';
import { messages } from '../arbitraries.ts';
import { encode, plain } from './wire-fixtures.ts';

describe('decodeBatch on bytes from anybody', () => {
  /** Throws anything but a WireError on. Walks what was accepted, for it must be safe to walk. */
  const survive = (bytes: Uint8Array): void => {
    try {
      const batch = decodeBatch(bytes);
      let read = 0;
      for (const message of messagesOf(
        takeRows(
          batch,
          Uint32Array.from({ length: Math.min(batch.length, 20) }, (_, i) => i),
        ),
      ))
        read += message.fields.length;
      expect(read).toBeGreaterThanOrEqual(0);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  };

  it('fails only with a WireError when bytes are changed', () => {
    fc.assert(
      fc.property(messages(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }), (list, changes) => {
        const bytes = encode(batchOf(list));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        survive(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it('fails only with a WireError when words of the head are changed', () => {
    const extreme = fc.constantFrom(0, 1, 2, 7, 8, 255, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, 0xffff_ffff);
    fc.assert(
      fc.property(
        messages(),
        fc.array(fc.tuple(fc.nat(), fc.oneof(extreme, fc.nat(200))), { minLength: 1, maxLength: 4 }),
        (list, changes) => {
          const bytes = encode(batchOf(list));
          const words = new Uint32Array(bytes.buffer);
          for (const [at, value] of changes) words[2 + (at % Math.min(words.length - 2, 90))] = value;
          survive(bytes);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('refuses every cut', () => {
    const bytes = encode(batchOf([plain({ type: 't', payload: 'p', fields: [{ name: 'a', valueType: 0, values: ['x', 'y'] }] }), plain()]));
    for (let length = 0; length < bytes.length; length++) expect(() => decodeBatch(bytes.slice(0, length))).toThrow(WireError);
  });

  it('fails only with a WireError on any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => survive(bytes)));
  });

  it('refuses a batch that claims more than there is, without making it', () => {
    const bytes = encode(batchOf([plain()]));
    for (let word = 2; word < 12; word++) {
      const claimed = bytes.slice();
      new Uint32Array(claimed.buffer)[word] = 0xffff_ffff;
      if (word !== 3 && word !== 11) expect(() => decodeBatch(claimed)).toThrow(WireError);
    }
  });
});
