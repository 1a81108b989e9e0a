import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { EncodedReader } from '../../../../engine/message/protobuf/encoded-reader.ts';
import { FrameSplitter, type FrameRecord } from '../../../../engine/message/protobuf/framing.ts';
import { encodeJsonLines, formatMessage } from '../../../../engine/message/json/json.ts';
import { decodeMessage, encodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { encodeProtobuf } from '../../../../engine/message/protobuf/protobuf-encode.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import { encodeScriptMessage } from '../../../../engine/message/protobuf/script-protobuf.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { messages, wellFormedText } from '../arbitraries.ts';
import { request } from '../requests.ts';

const result = <T>(make: () => T): T | string => {
  try {
    return make();
  } catch (error) {
    return String(error);
  }
};

/** Reads messages that lie one behind the other, with gaps. */
function read(reader: EncodedReader, encoded: readonly Uint8Array[]): { readonly messages: Message[]; readonly problems: string[] } {
  const gap = Buffer.from('\u00ff gap');
  const bytes = Buffer.concat(encoded.flatMap((piece) => [gap, piece]));
  reader.begin(bytes, 0);
  const problems: string[] = [];
  let at = 0;
  for (const piece of encoded) {
    at += gap.length;
    const outcome = result(() => reader.add(at, at + piece.length));
    if (typeof outcome === 'string') problems.push(outcome);
    at += piece.length;
  }
  return { messages: [...messagesOf(reader.build())], problems };
}

function readByObjects(encoded: readonly Uint8Array[]): ReturnType<typeof read> {
  const outcomes = encoded.map((piece) => result(() => decodeMessage(piece)));
  const isProblem = (outcome: Message | string): outcome is string => typeof outcome === 'string';
  return {
    messages: [...messagesOf(batchOf(outcomes.filter((outcome) => !isProblem(outcome)) as Message[]))],
    problems: outcomes.filter(isProblem),
  };
}

/** Each one twice, so that the second one finds the fields of the first. */
const twice = <T>(list: readonly T[]): T[] => list.flatMap((one) => [one, one]);

describe('EncodedReader', () => {
  it.each([
    ['this program', encodeMessage],
    ['scripts', encodeScriptMessage],
  ])('reads what decodeMessage reads, written by %s', (_, encode) => {
    const reader = new EncodedReader();
    fc.assert(
      fc.property(messages(wellFormedText), (list) => {
        const encoded = twice(list).map(encode);
        expect(read(reader, encoded)).toEqual(readByObjects(encoded));
      }),
      { numRuns: 200 },
    );
  });

  it('reads and refuses what decodeMessage does when bytes are damaged', () => {
    const reader = new EncodedReader();
    const damage = fc.record({
      at: fc.nat(),
      by: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x80, 0x7f, 1)),
      cut: fc.nat({ max: 3 }),
    });
    fc.assert(
      fc.property(messages(wellFormedText), fc.array(damage, { minLength: 1, maxLength: 4 }), (list, damages) => {
        const encoded: Buffer[] = twice(list.length === 0 ? [request(1)] : list).map((message) => Buffer.from(encodeMessage(message)));
        for (const { at, by, cut } of damages) {
          const which = (at * 2 + 1) % encoded.length;
          const piece = encoded[which] as Buffer;
          piece[at % piece.length] = by;
          encoded[which] = piece.subarray(0, piece.length - (cut === 3 ? at % piece.length : 0));
        }
        expect(read(reader, encoded)).toEqual(readByObjects(encoded));
      }),
      { numRuns: 400 },
    );
  });

  it('cuts texts out of one text, and makes constants of headers that do not change', () => {
    const encoded = Array.from({ length: 50 }, (_, i) => encodeMessage(request(i)));
    const reader = new EncodedReader();
    read(reader, encoded);
    const bytes = Buffer.concat(encoded);
    reader.begin(bytes, 0);
    let at = 0;
    for (const piece of encoded) reader.add(at, (at += piece.length));
    const { type, payload, fields } = reader.build();
    expect(type).toEqual({ constant: 'web' });
    expect(payload).toMatchObject({ text: bytes.toString('latin1') });
    expect(new Set(fields.map(({ values }) => ('text' in values ? values.text : bytes.toString('latin1'))))).toEqual(
      new Set([bytes.toString('latin1')]),
    );
  });

  it('gives batches that do not change with the bytes, and are written as JSON like their messages', () => {
    fc.assert(
      fc.property(messages(wellFormedText), (list) => {
        const bytes = Buffer.concat(twice(list).map(encodeMessage));
        const reader = new EncodedReader();
        reader.begin(bytes, 0);
        let at = 0;
        for (const piece of twice(list).map(encodeMessage)) reader.add(at, (at += piece.length));
        const batch = reader.build();
        bytes.fill(0xff);
        const lines = twice(list).map((message) => `${formatMessage(message)}\n`);
        expect(Buffer.from(encodeJsonLines(batch, null).bytes).toString()).toBe(lines.join(''));
        expect([...messagesOf(batch)]).toEqual([...messagesOf(batchOf(twice(list)))]);
        for (const column of [batch.payload, ...batch.fields.map(({ values }) => values)]) {
          if (column !== null && 'latin' in column) expect(column.latin?.slice(0, column.latin.length)).toBe(column.text);
        }
      }),
    );
  });

  it('reads records of a stream that comes in pieces', () => {
    const list = Array.from({ length: 200 }, (_, i) => request(i));
    const stream = encodeProtobuf(batchOf(list), null, { maxMessageSize: 1 << 20, onTooLarge: () => undefined }).bytes;
    const splitter = new FrameSplitter();
    const reader = new EncodedReader();
    const found: Message[] = [];
    const take = (records: readonly FrameRecord[]): void => {
      const [first] = records;
      if (first === undefined) return;
      reader.begin(first.bytes, first.start);
      for (const { start, end } of records) reader.add(start, end);
      found.push(...messagesOf(reader.build()));
    };
    for (let at = 0; at < stream.length; at += 1000) take(splitter.push(stream.subarray(at, at + 1000)));
    take(splitter.end());
    expect(found).toEqual(list);
  });
});
