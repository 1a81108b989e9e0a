import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameSplitter } from '../../../engine/message/protobuf/framing.ts';
import { encodeRecord, findRecord, type MessagePath } from '../../../engine/queue/record.ts';

const path = fc.record({ loop: fc.nat(300), injected: fc.boolean(), clock: fc.constantFrom('message' as const, undefined) });
/** Bytes in which separators are frequent. */
const body = fc.uint8Array({ maxLength: 300 }).map((bytes) => bytes.map((byte) => (byte < 60 ? 0x1e : byte < 80 ? 0x1f : byte)));

function all(bytes: Uint8Array): (MessagePath & { message: number[] })[] {
  const found = [];
  for (let at = 0; ;) {
    const { record } = findRecord(bytes, at, true);
    if (record === null) return found;
    found.push({ message: [...record.message], loop: record.loop, injected: record.injected, clock: record.clock });
    at = record.end;
  }
}

describe('records of a queue', () => {
  it('come back as they were, and are records of any stream', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(body, path), { maxLength: 8 }), (messages) => {
        const bytes = Buffer.concat(messages.map(([message, way]) => encodeRecord(message, way)));
        expect(all(bytes)).toEqual(messages.map(([message, way]) => ({ message: [...message], ...way })));
        const splitter = new FrameSplitter();
        expect([...splitter.push(bytes), ...splitter.end()].map(({ message }) => [...message])).toEqual(
          messages.map(([message]) => [...message]),
        );
      }),
    );
  });

  it.each([0, 119, 120, 121, 127, 128, 15_359, 15_360, 15_488])('keep the way of a message of %i bytes', (length) => {
    const bytes = encodeRecord(new Uint8Array(length).fill(7), { loop: 60, injected: true, clock: 'message' });
    expect(findRecord(bytes, 0, false).record).toMatchObject({ loop: 60, injected: true, clock: 'message', end: bytes.length });
  });

  it('lose only the one that is damaged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(body, path), { minLength: 1, maxLength: 6 }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (messages, which, where, change) => {
          const records = messages.map(([message, way]) => encodeRecord(message, way));
          const index = which % records.length;
          const damaged = Uint8Array.from(records[index] as Uint8Array);
          const at = where % damaged.length;
          damaged[at] = (damaged[at] as number) ^ change;
          const rest = messages.filter((_, i) => i !== index).map(([message, way]) => ({ message: [...message], ...way }));
          const found = all(Buffer.concat(records.map((record, i) => (i === index ? damaged : record))));
          // A message may hold whole records; those are no loss.
          for (const record of rest) expect(found).toContainEqual(record);
        },
      ),
    );
  });

  it('wait for the rest of one that is cut off', () => {
    const bytes = encodeRecord(Buffer.from('hello'), { loop: 0, injected: false });
    for (let length = 0; length < bytes.length; length++) {
      expect(findRecord(bytes.subarray(0, length), 0, false)).toEqual({ record: null, start: 0 });
      expect(findRecord(bytes.subarray(0, length), 0, true).record).toBeNull();
    }
  });

  it('by other makers come from an input', () => {
    const plain = Buffer.concat([Buffer.from([0x1e, 2, 8, 3, 0x1f]), Buffer.from('abc')]);
    expect(findRecord(plain, 0, true).record).toMatchObject({ loop: 0, injected: false });
  });
});
