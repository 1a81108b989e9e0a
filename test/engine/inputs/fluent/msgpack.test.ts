import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeMsgpack,
  Extension,
  MsgpackError,
  MsgpackReader,
  ValueScanner,
  type MsgpackValue,
} from '../../../../engine/inputs/fluent/msgpack.ts';
import { ValueStream } from '../../../../engine/inputs/fluent/value-stream.ts';
import { encoded, type Plain } from './encoder.ts';

const read = (hex: string): MsgpackValue => new MsgpackReader(Buffer.from(hex.replaceAll(' ', ''), 'hex')).value();

describe('MessagePack', () => {
  it.each<[string, MsgpackValue]>([
    ['00', 0],
    ['7f', 127],
    ['ff', -1],
    ['e0', -32],
    ['c0', null],
    ['c2', false],
    ['c3', true],
    ['cc ff', 255],
    ['cd ffff', 65_535],
    ['ce ffffffff', 4_294_967_295],
    ['cf 001fffffffffffff', 2 ** 53 - 1],
    ['cf 0020000000000000', 2n ** 53n],
    ['cf ffffffffffffffff', 2n ** 64n - 1n],
    ['d0 80', -128],
    ['d1 8000', -32_768],
    ['d2 80000000', -2_147_483_648],
    ['d3 8000000000000000', -(2n ** 63n)],
    ['d3 ffffffffffffffff', -1],
    ['ca 3fc00000', 1.5],
    ['cb 3ff8000000000000', 1.5],
    ['a0', ''],
    ['a3 616263', 'abc'],
    ['d9 01 61', 'a'],
    ['da 0001 61', 'a'],
    ['db 00000001 61', 'a'],
    ['c4 01 61', Buffer.from('a')],
    ['c5 0001 61', Buffer.from('a')],
    ['c6 00000001 61', Buffer.from('a')],
    ['90', []],
    ['92 01 c0', [1, null]],
    ['dc 0001 01', [1]],
    ['dd 00000001 01', [1]],
    ['80', new Map()],
    ['81 a1 61 01', new Map([['a', 1]])],
    ['de 0001 a1 61 01', new Map([['a', 1]])],
    ['df 00000001 01 02', new Map([['1', 2]])],
    ['81 91 cf ffffffffffffffff 01', new Map([['["18446744073709551615"]', 1]])],
    ['d4 05 ff', new Extension(5, Buffer.of(255))],
    ['d7 00 0000000100000002', new Extension(0, Buffer.from('0000000100000002', 'hex'))],
    ['c7 02 ff 0102', new Extension(-1, Buffer.of(1, 2))],
  ])('%s', (hex, value) => {
    expect(read(hex)).toEqual(value);
  });

  it.each(['c1', 'a2 61', 'cd 00', '92 01', '81 a1', 'dd ffffffff 00', `${'91'.repeat(50)}00`])('%s is none', (hex) => {
    expect(() => read(hex)).toThrow(MsgpackError);
  });

  const plain = fc.letrec<{ value: Plain }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Plain>(null, true, false),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.array(tie('value'), { maxLength: 20 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 20 }).map((object) => new Map(Object.entries(object))),
    ),
  })).value;

  it('of any value is cut out of a stream, however it comes in pieces', () => {
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 5 }), fc.array(fc.nat(40)), (values, sizes) => {
        const pieces = values.map((value) => encoded(value));
        const bytes = Buffer.concat(pieces);
        const stream = new ValueStream(1 << 20);
        const found: Buffer[] = [];
        let at = 0;
        for (const size of [...sizes, bytes.length]) {
          found.push(...stream.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(found).toEqual(pieces);
        expect(stream.waiting).toBe(0);
        expect(found.map((each) => encoded(new MsgpackReader(each).value()))).toEqual(pieces);
      }),
    );
  });

  it('is looked at once, even if it comes byte by byte', () => {
    const bytes = encoded(Array.from({ length: 3000 }, (_, i) => `event ${i}`));
    const scanner = new ValueScanner();
    for (let at = 1; at < bytes.length; at++) expect(scanner.end(bytes.subarray(0, at))).toBe(-1);
    expect(scanner.end(bytes)).toBe(bytes.length);
  });

  it('that is too long or too deep is refused before it is there', () => {
    expect(() => [...new ValueStream(1000).push(Buffer.from('c6ffffffff'.padEnd(2100, '0'), 'hex'))]).toThrow('longer than 1000 bytes');
    expect(() => [...new ValueStream(1000).push(Buffer.alloc(100, 0x91))]).toThrow('nested more than 32 deep');
  });

  it('of answers is that of values', () => {
    const answer = ['PONG', true, Buffer.from('x'), new Map<string, MsgpackValue>([['a', 'b']])];
    expect(new MsgpackReader(encodeMsgpack(answer)).value()).toEqual(answer);
  });
});
