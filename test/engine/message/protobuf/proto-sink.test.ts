import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtoSink, protoText } from '../../../../engine/message/protobuf/proto-sink.ts';
import { ProtoWriter } from '../../../../engine/message/protobuf/proto-writer.ts';
import { writeUtf8 } from '../../../../engine/message/utf8.ts';

const written = (write: (sink: ProtoSink) => void, capacity = 0): Buffer => {
  const sink = new ProtoSink(capacity);
  write(sink);
  expect(sink.length).toBe(sink.bytes.length);
  return Buffer.from(sink.bytes);
};
const expected = (write: (writer: ProtoWriter) => void): Buffer => {
  const writer = new ProtoWriter({ write: writeUtf8 });
  write(writer);
  return Buffer.from(writer.finish());
};

describe('ProtoSink', () => {
  it('writes pieces of texts as a writer does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '€', '😀'), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.nat(40), fc.nat(40), (whole, a, b) => {
        const [start, end] = [Math.min(a, b, whole.length), Math.min(Math.max(a, b), whole.length)];
        const piece = whole.slice(start, end).toWellFormed();
        expect(written((sink) => sink.text(protoText(whole), start, end))).toEqual(expected((writer) => writer.text(piece)));
      }),
    );
  });

  it('writes numbers as a writer does', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double(), (int, double) => {
        expect(written((sink) => sink.int32(int))).toEqual(expected((writer) => writer.int32(int)));
        expect(written((sink) => sink.double(double))).toEqual(expected((writer) => writer.double(double)));
      }),
    );
    expect(written((sink) => sink.varint(-1, 0x7fffffff)).toString('hex')).toBe('ffffffffffffffff7f');
  });

  it.each([0, 5, 127, 128, 20_000])('embeds %i bytes', (length) => {
    const bytes = new Uint8Array(length).fill(7);
    const result = written((sink) => {
      const opened = sink.open();
      sink.raw(bytes);
      sink.close(opened);
      sink.byte(9);
    });
    expect(result).toEqual(Buffer.concat([expected((writer) => writer.bytes(bytes)), Buffer.of(9)]));
  });

  it('makes room in the middle, and drops its end', () => {
    const result = written((sink) => {
      sink.raw(Uint8Array.of(1, 2, 3));
      sink.move(1, 3);
      sink.put(1, 8);
      sink.put(2, 9);
    });
    expect([...result]).toEqual([1, 8, 9, 2, 3]);
    expect([
      ...written((sink) => {
        sink.raw(Uint8Array.of(1, 2, 3));
        sink.length = 1;
        sink.byte(4);
      }),
    ]).toEqual([1, 4]);
  });
});
