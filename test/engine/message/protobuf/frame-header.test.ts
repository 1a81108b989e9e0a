import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrameHeader, encodeFrameHeader, type FrameHeader } from '../../../../engine/message/protobuf/frame-header.ts';
import { MessageDecodeError } from '../../../../engine/message/protobuf/proto-reader.ts';
import { message as generated } from '../generated/message.js';

const { Header } = generated;
const { MD5, SHA1 } = Header.HmacHashFunction;

/** A header as protobufjs reads it; null: it refuses the bytes. */
function theirs(bytes: Uint8Array): FrameHeader | null {
  try {
    const header = Header.decode(bytes);
    const { messageLength, hmacSigner: signer, hmacKeyVersion: keyVersion, hmacHashFunction, hmac } = header;
    if (!Object.hasOwn(header, 'hmac')) return { messageLength, signature: null };
    const hash = hmacHashFunction === SHA1 ? 'sha1' : 'md5';
    return { messageLength, signature: { signer, keyVersion, hash, digest: Uint8Array.from(hmac) } };
  } catch {
    return null;
  }
}

function ours(bytes: Uint8Array): FrameHeader | null {
  try {
    return decodeFrameHeader(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(MessageDecodeError);
    return null;
  }
}

/** A varint that may be longer than it has to be. */
function varint(value: bigint, extra = 0): number[] {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn));
    if (rest < 0x80n) break;
  }
  bytes.push(...Array<number>(extra).fill(0));
  return bytes.map((byte, i) => (i < bytes.length - 1 ? byte | 0x80 : byte));
}

const number = fc.oneof(fc.nat(300).map(BigInt), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }));
const anyVarint = fc.tuple(number, fc.constantFrom(0, 0, 0, 1, 3, 5, 9, 12)).map(([value, extra]) => varint(value, extra));
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
);
const lengthDelimited = fc
  .tuple(bytes, fc.constantFrom(0, 0, 0, 1, 4, 6), fc.constantFrom(0, 0, 0, 1, -1))
  .map(([content, extra, off]) => [...varint(BigInt(Math.max(0, content.length + off)), extra), ...content]);
const key = (tag: fc.Arbitrary<number>, wireType: number): fc.Arbitrary<number[]> =>
  fc.tuple(tag, fc.constantFrom(0, 0, 0, 0, 1, 4, 6)).map(([number, extra]) => varint(BigInt(number * 8 + wireType), extra));
const tag = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom(0, 7, 15, 16, 2000, 2 ** 29 - 1));
const sequence = (...parts: fc.Arbitrary<number[]>[]): fc.Arbitrary<number[]> => fc.tuple(...parts).map((list) => list.flat());

/** A field of any number and wire type: known or not, right or wrong. */
const field: fc.Arbitrary<number[]> = fc.letrec<{ field: number[] }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    sequence(key(tag, 0), anyVarint),
    sequence(key(tag, 2), lengthDelimited),
    sequence(key(tag, 1), fc.array(fc.nat(255), { minLength: 8, maxLength: 8 })),
    sequence(key(tag, 5), fc.array(fc.nat(255), { minLength: 4, maxLength: 4 })),
    key(tag, 6),
    key(tag, 4),
    fc.tuple(tag, tie('field'), fc.boolean()).map(([group, inner, wrong]) => {
      const end = BigInt((wrong ? group + 1 : group) * 8 + 4);
      return [...varint(BigInt(group * 8 + 3)), ...inner, ...varint(end)];
    }),
  ),
})).field;

const known = fc.constantFrom(
  [0x08, 5],
  [0x08, 0xac, 2],
  [0x18, 1],
  [0x18, 0],
  [0x18, 7],
  [0x22, 1, 0x61],
  [0x28, 3],
  [0x32, 1, 9],
  [0x32, 0],
);

describe('a header that is read', () => {
  it('is taken, refused and understood as by protobufjs', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(known, known, field), { maxLength: 8 }), fc.option(fc.nat(40)), (fields, cut) => {
        const all = Uint8Array.from(fields.flat());
        const header = cut === null ? all : all.subarray(0, cut);
        const wanted = theirs(header);
        expect(ours(header)).toEqual(wanted);
        if (wanted !== null) taken++;
      }),
      { numRuns: 5000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('is judged alike when its bytes are any', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (header) => {
        expect(ours(header)).toEqual(theirs(header));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['no field', []],
    ['no length', [0x18, 1]],
    ['a length of ten bytes', [0x08, ...varint(-1n)]],
    ['a length of eleven bytes', [0x08, ...varint(1n, 10)]],
    ['an unknown number of twenty bytes', [0x08, 1, 0x48, ...varint(1n, 19)]],
    ['a length as a text', [0x0a, 1, 0x35]],
    ['two lengths', [0x08, 1, 0x08, 2]],
    ['a hash function that there is not', [0x08, 1, 0x18, 1, 0x18, 2, 0x32, 0]],
    ['a key of six bytes', [...varint(8n, 5), 1]],
    ['a signer that is not UTF-8', [0x08, 1, 0x22, 4, 0xef, 0xbb, 0xbf, 0xe2, 0x32, 0]],
    ['101 groups', [0x08, 1, ...Array<number>(101).fill(0x4b), ...Array<number>(101).fill(0x4c)]],
    ['102 groups', [0x08, 1, ...Array<number>(102).fill(0x4b), ...Array<number>(102).fill(0x4c)]],
    ['a number in 100 groups', [0x08, 1, ...Array<number>(100).fill(0x4b), 0x50, 1, ...Array<number>(100).fill(0x4c)]],
    ['a number in 101 groups', [0x08, 1, ...Array<number>(101).fill(0x4b), 0x50, 1, ...Array<number>(101).fill(0x4c)]],
  ])('with %s', (_what, list) => expect(ours(Uint8Array.from(list))).toEqual(theirs(Uint8Array.from(list))));
});

describe('a header that is written', () => {
  const signature = fc.record({
    signer: fc.string({ unit: 'binary', maxLength: 300 }),
    keyVersion: fc.oneof(fc.nat(5), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
    hash: fc.constantFrom('md5' as const, 'sha1' as const),
    digest: fc.uint8Array({ maxLength: 40 }),
  });

  it('has the bytes that protobufjs writes, and is read again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 2 ** 32 - 1 })), fc.option(signature), (messageLength, signature) => {
        const written = encodeFrameHeader({ messageLength, signature });
        const their = signature && {
          // MD5 is the default, which is not written.
          hmacHashFunction: signature.hash === 'sha1' ? SHA1 : null,
          hmacSigner: signature.signer,
          hmacKeyVersion: signature.keyVersion,
          hmac: signature.digest,
        };
        expect(Buffer.from(written)).toEqual(Buffer.from(Header.encode({ messageLength, ...their }).finish()));
        expect(decodeFrameHeader(written)).toEqual({ messageLength, signature });
      }),
      { numRuns: 2000 },
    );
  });

  it('writes the hash functions that the schema names', () => {
    expect([MD5, SHA1]).toEqual([0, 1]);
  });
});
