import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frame, FrameError, FrameSplitter, type FrameRecord } from '../../../../engine/message/protobuf/framing.ts';
import { authenticate, hmacHashOf, type Signer } from '../../../../engine/message/protobuf/signing.ts';
import { workMs } from '../../../growth.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The message of the worked examples. */
const example = hex(`
  0a10 000102030405460788090a0b0c0d0e0f 10 8094ebdc03 1a04 64656d6f 28 06
  52 13 0a06 737461747573 1003 39 0000000000006940
  52 10 0a04 73697a65 1002 1a01 42 32 03 05ac02
  52 09 0a04 686f7374 22 01 61
  52 08 0a02 6f6b 1004 40 01`);
const signer = (hash: 'md5' | 'sha1'): Signer => ({ name: 'ops', version: 1, hash, key: 's3cret' });

/** Records that a splitter finds in a stream that comes in pieces of these sizes. */
function split(stream: Uint8Array, sizes: number[] = [], options = {}): FrameRecord[] {
  const splitter = new FrameSplitter(options);
  const records: FrameRecord[] = [];
  let at = 0;
  for (let i = 0; at < stream.length; i++) {
    const size = sizes.length === 0 ? stream.length : (sizes[i % sizes.length] as number);
    records.push(...splitter.push(stream.subarray(at, at + size)));
    at += size;
  }
  return [...records, ...splitter.end()];
}

const bytesOf = (records: readonly FrameRecord[]): string[] => records.map(({ message }) => toHex(message));

describe('frame', () => {
  it('frames the worked example', () => {
    const record = frame(example);
    expect(toHex(record)).toBe(`1e02085c1f${toHex(example)}`);
    expect(record.length).toBe(97);
  });

  it.each([
    ['md5' as const, '085c 2203 6f7073 2801 3210 5afb86fd710cfcf5c219ccdcd626be27', 27],
    ['sha1' as const, '085c 1801 2203 6f7073 2801 3214 619ac61bb30279063aa048fc9d4f9084d24725b8', 33],
  ])('signs the worked example with %s', (hash, header, length) => {
    const record = frame(example, signer(hash));
    expect(record[1]).toBe(length);
    expect(toHex(record.subarray(2, 2 + length))).toBe(header.replaceAll(' ', ''));
    const [parsed] = split(record) as [FrameRecord];
    expect(authenticate(parsed, new Map([['ops_1', 's3cret']]))).toBe('ops');
    expect(authenticate(parsed, new Map([['ops_2', 's3cret']]))).toBeNull();
    expect(authenticate(parsed, new Map([['ops_1', 'other']]))).toBeNull();
  });

  it('refuses a message above the maximum, not one that is equal to it', () => {
    expect(() => frame(new Uint8Array(65_537))).toThrow(FrameError);
    expect(split(frame(new Uint8Array(65_536)))).toHaveLength(1);
    expect(() => frame(new Uint8Array(2001), null, { maxMessageSize: 2000 })).toThrow(FrameError);
  });

  it('refuses a header above 255 bytes', () => {
    expect(() => frame(example, { ...signer('md5'), name: 'x'.repeat(300) })).toThrow(FrameError);
  });

  it('wants a maximum above 1024', () => {
    expect(() => new FrameSplitter({ maxMessageSize: 1024 })).toThrow(FrameError);
    expect(new FrameSplitter({ maxMessageSize: 1025 }).pending).toBe(0);
  });
});

describe('FrameSplitter', () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });
  const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 });

  it('finds all messages, however the stream is cut', () => {
    fc.assert(
      fc.property(messages, sizes, fc.boolean(), (list, sizes, signed) => {
        const stream = Buffer.concat(list.map((message) => frame(message, signed ? signer('sha1') : null)));
        expect(bytesOf(split(stream, sizes))).toEqual(list.map(toHex));
      }),
    );
  });

  it('finds the same in a stream with garbage, however it is cut', () => {
    const garbage = fc
      .array(fc.oneof(fc.constantFrom(0x1e, 0x1f, 0x08, 0x02), fc.nat(255)), { maxLength: 20 })
      .map((list) => Uint8Array.from(list));
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            garbage,
            messages.map((list) => Buffer.concat(list.map((message) => frame(message)))),
          ),
        ),
        sizes,
        (parts, sizes) => {
          const stream = Buffer.concat(parts);
          expect(bytesOf(split(stream, sizes))).toEqual(bytesOf(split(stream)));
        },
      ),
    );
  });

  it('finds all messages behind garbage without separators', () => {
    const garbage = fc.uint8Array().map((bytes) => bytes.map((byte) => (byte === 0x1e ? 0 : byte)));
    fc.assert(
      fc.property(fc.array(fc.tuple(garbage, fc.uint8Array())), sizes, (list, sizes) => {
        const stream = Buffer.concat(list.flatMap(([garbage, message]) => [garbage, frame(message)]));
        expect(bytesOf(split(stream, sizes))).toEqual(list.map(([, message]) => toHex(message)));
      }),
    );
  });

  it('recovers as in the worked example', () => {
    const problems: string[] = [];
    const splitter = new FrameSplitter({ onProblem: (what) => problems.push(what) });
    const [record, ...others] = splitter.push(hex('4142 1e01ff1f 1e0208001f'));
    expect(record).toMatchObject({ message: new Uint8Array(0), headerBytes: 5, signature: null });
    expect(others).toEqual([]);
    expect(problems).toHaveLength(1);
  });

  it.each<[string, string, string[]]>([
    ['no separator', '4142', []],
    ['a lone separator', '1e', []],
    ['a header without its end', '1e02080041 1e0208001f', ['']],
    ['a header without a length', '1e021801 1f 1e0208001f', ['']],
    ['a separator in a header', '1e1e 1e0208011f aa', ['aa']],
    ['unknown fields in a header', '1e04080148051f aa', ['aa']],
    ['separators in a message', '1e0208051f 1e0208001f 1e0208001f', ['1e0208001f', '']],
    ['a message that is cut off', '1e0208001f 1e0208051f aa', ['']],
    ['records behind one that is cut off', '1e0208641f aa 1e0208011f bb 1e0208001f', ['bb', '']],
  ])('with %s', (_, stream, expected) => {
    const bytes = hex(stream);
    expect(bytesOf(split(bytes))).toEqual(expected);
    expect(bytesOf(split(bytes, [1]))).toEqual(expected);
  });

  it('says which bytes are not a record', () => {
    const skipped: [number, number][] = [];
    const stream = hex('4142 1e0208001f 1e0208001f 1eff 43 1e0208011f aa 1e0208091f aa');
    split(stream, [3], { onSkip: (bytes: number, offset: number) => skipped.push([bytes, offset]) });
    expect(skipped).toEqual([
      [2, 0],
      [3, 12],
      [6, 21],
    ]);
  });

  it('passes over a message above the maximum and says so', () => {
    const problems: string[] = [];
    const stream = Buffer.concat([frame(new Uint8Array(3000)), frame(Uint8Array.of(1))]);
    expect(bytesOf(split(stream, [], { maxMessageSize: 2999, onProblem: (what: string) => problems.push(what) }))).toEqual(['01']);
    expect(problems).toEqual(['a message of 3000 bytes, at most 2999 are allowed']);
    expect(split(stream, [], { maxMessageSize: 3000 })).toHaveLength(2);
  });

  it('gathers a large message from many small chunks in linear time', () => {
    const max = 32_000_000;
    const message = new Uint8Array(max).fill(7);
    const framed = frame(message, null, { maxMessageSize: max });
    let record: FrameRecord | undefined;
    const ms = workMs(() => ([record] = split(framed, [1000], { maxMessageSize: max })));
    const digest = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
    expect(digest((record as FrameRecord).message)).toBe(digest(message));
    expect(ms).toBeLessThan(5000);
  });

  it('survives streams of nothing but separators', () => {
    expect(split(new Uint8Array(300_000).fill(0x1e), [4096])).toEqual([]);
  });
});

describe('authenticate', () => {
  const keys = new Map([['ops_1', 's3cret']]);

  it('accepts unsigned records without a signer', () => {
    expect(authenticate((split(frame(example)) as [FrameRecord])[0], keys)).toBe('');
  });

  it('refuses a changed message and a digest of another length', () => {
    const record = frame(example, signer('md5'));
    record[record.length - 1] = 0;
    const [changed] = split(record) as [FrameRecord];
    expect(authenticate(changed, keys)).toBeNull();
    const signature = { signer: 'ops', keyVersion: 1, hash: 'md5' as const, digest: new Uint8Array(3) };
    expect(authenticate({ message: changed.message, headerBytes: changed.headerBytes, signature }, keys)).toBeNull();
  });

  it('does not look for a digest in a header below 17 bytes', () => {
    const signature = { signer: 'x', keyVersion: 1, hash: 'md5' as const, digest: new Uint8Array(0) };
    expect(authenticate({ message: example, headerBytes: 16, signature }, keys)).toBe('');
    expect(authenticate({ message: example, headerBytes: 17, signature }, keys)).toBeNull();
  });

  it.each([
    ['sha1', 'sha1'],
    ['md5', 'md5'],
    ['sha256', 'md5'],
    [undefined, 'md5'],
  ])('takes the hash name %s as %s', (name, hash) => expect(hmacHashOf(name)).toBe(hash));
});
