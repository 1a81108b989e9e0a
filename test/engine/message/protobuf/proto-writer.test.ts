import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtoReader } from '../../../../engine/message/protobuf/proto-reader.ts';
import { ProtoWriter } from '../../../../engine/message/protobuf/proto-writer.ts';
import { readUtf8, writeUtf8 } from '../../../../engine/message/utf8.ts';

const text = { write: writeUtf8 };
const hex = (write: (writer: ProtoWriter) => void): string => {
  const writer = new ProtoWriter(text);
  write(writer);
  return Buffer.from(writer.finish()).toString('hex');
};

describe('ProtoWriter', () => {
  it.each<[name: string, write: (writer: ProtoWriter) => void, bytes: string]>([
    ['a key', (writer) => writer.key(0x0a), '0a'],
    ['an int32', (writer) => writer.int32(300), 'ac02'],
    ['a negative int32', (writer) => writer.int32(-1), 'ffffffffffffffffff01'],
    ['an int64', (writer) => writer.int64(-(2n ** 63n)), '80808080808080808001'],
    ['an int64 that wraps', (writer) => writer.int64(2n ** 64n + 1n), '01'],
    ['a bool', (writer) => writer.bool(true), '01'],
    ['a double', (writer) => writer.double(1), '000000000000f03f'],
    ['a text', (writer) => writer.text('é'), '02c3a9'],
    ['bytes', (writer) => writer.bytes(Uint8Array.of(1, 2)), '020102'],
    ['an empty text', (writer) => writer.text(''), '00'],
  ])('writes %s', (_, write, bytes) => expect(hex(write)).toBe(bytes));

  it('writes the length in front of what is embedded', () => {
    const embed = (length: number): string =>
      hex((writer) => {
        const opened = writer.open();
        for (let i = 0; i < length; i++) writer.key(7);
        writer.close(opened);
      });
    expect(embed(0)).toBe('00');
    expect(embed(127)).toBe(`7f${'07'.repeat(127)}`);
    expect(embed(128)).toBe(`8001${'07'.repeat(128)}`);
    expect(embed(20_000)).toBe(`a09c01${'07'.repeat(20_000)}`);
  });

  it('writes texts that are read back, also where their bytes are more than their units', () => {
    const unit = fc.constantFrom('a', 'é', '€', '😀');
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 200 }), { maxLength: 5 }), fc.constantFrom(0, 256), (texts, slab) => {
        const writer = new ProtoWriter(text, slab);
        const messages = texts.map((each) => {
          writer.reset();
          writer.text(each);
          return writer.finish();
        });
        expect(messages.map((bytes) => new ProtoReader(bytes, readUtf8).text())).toEqual(texts);
      }),
    );
  });

  it('drops what was not finished', () => {
    const writer = new ProtoWriter(text);
    writer.text('x'.repeat(2_000_000));
    writer.reset();
    writer.key(1);
    expect(writer.finish()).toEqual(Uint8Array.of(1));
  });
});
