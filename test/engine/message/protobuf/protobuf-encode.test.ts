import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { frame } from '../../../../engine/message/protobuf/framing.ts';
import { takeRows } from '../../../../engine/message/batch/gather.ts';
import { encodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { encodeProtobuf } from '../../../../engine/message/protobuf/protobuf-encode.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { anyText, messages } from '../arbitraries.ts';
import { request } from '../requests.ts';

const hexes = (pieces: Iterable<Uint8Array>): string[] => Array.from(pieces, (piece) => Buffer.from(piece).toString('hex'));

describe('encodeProtobuf', () => {
  it('writes the bytes that encodeMessage and frame write', () => {
    const rules = { maxMessageSize: 1 << 20, onTooLarge: () => undefined };
    fc.assert(
      fc.property(messages(anyText), (list) => {
        const batch = batchOf(list);
        const plain = hexes(list.map(encodeMessage));
        const framed = hexes(list.map((message) => frame(encodeMessage(message), null, { maxMessageSize: 1 << 20 })));
        expect(hexes(encodeProtobuf(batch, null, null))).toEqual(plain);
        expect(hexes(encodeProtobuf(batch, null, rules))).toEqual(framed);
        const some = Uint32Array.from(list.keys()).filter((row) => row % 2 === 0);
        expect(hexes(encodeProtobuf(batch, some, rules))).toEqual([...some].map((row) => framed[row]));
        expect(hexes(encodeProtobuf(takeRows(batch, some), null, null))).toEqual([...some].map((row) => plain[row]));
      }),
      { numRuns: 200 },
    );
  });

  it.each([0, 1, 60, 90, 100, 127, 128, 129, 16_300, 16_384, 20_000, 2_097_152])('frames a payload of %i bytes', (size) => {
    const list: Message[] = [request(1), { ...request(2), payload: 'x'.repeat(size), fields: [] }, request(3)];
    const options = { maxMessageSize: 1 << 22 };
    const framed = hexes(list.map((message) => frame(encodeMessage(message), null, options)));
    expect(hexes(encodeProtobuf(batchOf(list), null, { ...options, onTooLarge: () => undefined }))).toEqual(framed);
  });

  it('leaves out what is too large, and says how large it is', () => {
    const sizes: number[] = [];
    const list = [request(1), { ...request(2), payload: 'x'.repeat(2000) }, request(3)];
    const pieces = encodeProtobuf(batchOf(list), null, { maxMessageSize: 1025, onTooLarge: (bytes) => sizes.push(bytes) });
    expect(hexes(pieces)).toEqual(hexes([list[0], list[2]].map((message) => frame(encodeMessage(message as Message)))));
    expect(sizes).toEqual([encodeMessage(list[1] as Message).length]);
  });
});
