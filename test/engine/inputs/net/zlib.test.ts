import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflated, isSingle, isUsualZlib, isZlib } from '../../../../engine/inputs/net/zlib.ts';
import { single } from './net-fixtures.ts';

const text = Buffer.from('<13>Nov 30 12:00:00 host app: text text text');

describe('the head of zlib', () => {
  it.each<[string, Buffer, zlib: boolean, usual: boolean]>([
    ...Array.from({ length: 10 }, (_, level): [string, Buffer, boolean, boolean] => [
      `level ${level}`,
      deflateSync(text, { level }),
      true,
      true,
    ]),
    ['a small window', deflateSync(text, { windowBits: 9 }), true, false],
    ['a dictionary', deflateSync(text, { dictionary: text }), true, false],
    ['text', text, false, false],
    ['a count', Buffer.from('120 <13>'), false, false],
    ['one byte', Buffer.from('x'), false, false],
    ['nothing', Buffer.alloc(0), false, false],
  ])('is known: %s', (_what, bytes, zlib, usual) => {
    expect([isZlib(bytes), isUsualZlib(bytes)]).toEqual([zlib, usual]);
  });
});

describe('a message that is packed by itself', () => {
  it.each<[string, Buffer, boolean]>([
    ['one of rsyslog', single(text), true],
    ['a word', Buffer.from('zebra'), false],
    ['only its letter', Buffer.from('z'), false],
    ['its beginning', single(text).subarray(0, 2), false],
    ['zlib without the letter', deflateSync(text), false],
  ])('is known: %s', (_what, bytes, known) => {
    expect(isSingle(bytes, 0, bytes.length)).toBe(known);
  });
});

describe('zlib', () => {
  it('is unpacked up to a bound', () => {
    expect(inflated(deflateSync(text), text.length)).toEqual(text);
    expect(() => inflated(deflateSync(text), text.length - 1)).toThrow();
    expect(() => inflated(deflateSync(text).subarray(0, -1), 1000)).toThrow();
  });
});
