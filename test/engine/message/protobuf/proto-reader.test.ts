import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageDecodeError, ProtoReader } from '../../../../engine/message/protobuf/proto-reader.ts';
import { readUtf8 } from '../../../../engine/message/utf8.ts';

const readerOf = (...bytes: number[]): ProtoReader => new ProtoReader(Uint8Array.from(bytes), readUtf8);

function varint(value: bigint): number[] {
  const rest = BigInt.asUintN(64, value);
  return rest < 128n ? [Number(rest)] : [Number(rest & 127n) | 128, ...varint(rest >> 7n)];
}

describe('values', () => {
  it('of 64 and 32 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(readerOf(...varint(value)).int64()).toBe(value);
        expect(readerOf(...varint(value)).int32()).toBe(Number(BigInt.asIntN(32, value)));
        expect(readerOf(...varint(value)).bool()).toBe(value !== 0n);
      }),
    );
  });

  it('of other types', () => {
    expect(readerOf(0, 0, 0, 0, 0, 0, 0xf8, 0x3f).double()).toBe(1.5);
    expect(readerOf(3, 0x61, 0xc3, 0xa9).text()).toBe('aé');
    const bytes = Uint8Array.of(2, 7, 8);
    const copy = new ProtoReader(bytes, readUtf8).bytes();
    bytes.fill(0);
    expect(copy).toEqual(Uint8Array.of(7, 8));
    expect(readerOf(100, ...Array<number>(100).fill(9)).bytes()).toEqual(new Uint8Array(100).fill(9));
  });

  it('within others', () => {
    const reader = readerOf(0x0a, 2, 0x08, 5, 0x10, 7);
    expect([reader.next(), reader.tag, reader.wireType]).toEqual([true, 1, 2]);
    const outer = reader.enter();
    expect([reader.next(), reader.int32(), reader.more, reader.next()]).toEqual([true, 5, false, false]);
    reader.leave(outer);
    expect([reader.next(), reader.tag, reader.tagOffset, reader.int32(), reader.offset, reader.next(), reader.tag]).toEqual([
      true,
      2,
      4,
      7,
      6,
      false,
      0,
    ]);
  });
});

describe('skip', () => {
  it.each<[name: string, bytes: number[]]>([
    ['a varint', [0x08, 0x80, 0x01]],
    ['64 bits', [0x09, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['a text', [0x0a, 2, 1, 1]],
    ['a group', [0x0b, 0x10, 5, 0x13, 0x14, 0x0c]],
    ['32 bits', [0x0d, 0, 0, 0, 0]],
  ])('passes over %s', (_, bytes) => {
    const reader = readerOf(...bytes, 0x18, 9);
    reader.next();
    reader.skip();
    expect([reader.next(), reader.tag, reader.int32()]).toEqual([true, 3, 9]);
  });
});

describe('bytes that are no message', () => {
  const skipAll = (reader: ProtoReader): void => {
    while (reader.next()) reader.skip();
  };

  it.each<[bytes: number[], error: string]>([
    [[0x00], 'field number 0 at byte 0'],
    [[0x08], 'truncated varint (tag 1, wire type 0, at byte 0)'],
    [[0x08, 0x80], 'truncated varint (tag 1, wire type 0, at byte 0)'],
    [[0x08, ...Array<number>(11).fill(0x80), 1], 'varint longer than 10 bytes'],
    [[0x09, 1], 'truncated value'],
    [[0x0a, 2, 1], 'truncated length'],
    [[0x0a, 0xff, 0xff, 0xff, 0xff, 0x1f], 'number too large'],
    [[0x0b], 'group without an end'],
    [[0x0b, 0x14], 'end of another group'],
    [[0x0c], 'unknown wire type'],
    [Array<number>(40).fill(0x0b), 'groups nested too deep'],
  ])('%j: %s', (bytes, error) => expect(() => skipAll(readerOf(...bytes))).toThrow(error));

  it('say where', () => {
    const reader = readerOf(0x08, 1, 0x12, 9);
    let thrown: unknown;
    try {
      skipAll(reader);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(MessageDecodeError);
    expect(thrown).toMatchObject({ tag: 2, wireType: 2, offset: 2 });
  });
});
