import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readBody, unpacked, unpackedBody } from '../../../../engine/inputs/http/request-body.ts';

const request = (chunks: readonly string[], headers: object = {}) =>
  Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), { headers }) as never;
const TOO_LARGE = { status: 413, message: 'The body is longer than 5 bytes, and nothing of it was taken. Send smaller ones.' };
const UNKNOWN = { status: 415, message: 'Bodies in br are not taken, but gzip and plain ones are.' };

describe('a body', () => {
  it('is read whole, and counted as it comes', async () => {
    const counts: number[] = [];
    expect(String(await readBody(request(['ab', 'cde']), 5, (count) => counts.push(count)))).toBe('abcde');
    expect(counts).toEqual([2, 3]);
  });

  it.each([
    ['says so before it comes', [], { 'content-length': '6' }],
    ['turns out to be', ['abc', 'def'], {}],
  ])('is too large: %s', async (_what, chunks, headers) => {
    await expect(readBody(request(chunks, headers), 5, () => undefined)).rejects.toMatchObject(TOO_LARGE);
  });
});

describe('unpacked at once', () => {
  it.each([
    ['', 'x'],
    ['identity', 'x'],
  ])('nothing to do for %j', async (encoding, text) => expect(String(await unpacked(Buffer.from(text), encoding, 1))).toBe(text));

  it('gzip', async () => expect(String(await unpacked(gzipSync('12345'), 'gzip', 5))).toBe('12345'));
  it('too large', async () => expect(unpacked(gzipSync('123456'), 'gzip', 5)).rejects.toMatchObject(TOO_LARGE));
  it('damaged', async () =>
    expect(unpacked(Buffer.from('x'), 'gzip', 5)).rejects.toMatchObject({ status: 400, message: /^The body is not gzip: / }));
  it('of another kind', async () => expect(unpacked(Buffer.from('x'), 'br', 5)).rejects.toMatchObject(UNKNOWN));
});

describe('unpacked as it comes', () => {
  async function read(chunks: readonly Buffer[], encoding: string): Promise<string> {
    const read = [];
    for await (const chunk of unpackedBody(Readable.from(chunks), encoding)) read.push(chunk);
    return Buffer.concat(read).toString();
  }
  const packed = gzipSync('a'.repeat(1000));

  it('plain', async () => expect(await read([Buffer.from('ab'), Buffer.from('c')], '')).toBe('abc'));
  it('gzip', async () => expect(await read([packed.subarray(0, 7), packed.subarray(7)], 'gzip')).toBe('a'.repeat(1000)));
  it('damaged', async () => expect(read([Buffer.from('xxxxxxxxxxxxxxxxxxxxxxx')], 'gzip')).rejects.toMatchObject({ status: 400 }));
  it('of another kind', async () => expect(read([packed], 'br')).rejects.toMatchObject(UNKNOWN));
});
