import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { codeOf, framed, readMessage, statusText, timeoutOf, withinTime } from '../../../../engine/inputs/http/grpc.ts';

describe('a call', () => {
  it.each([
    ['1S', 1000],
    ['2H', 7_200_000],
    ['3M', 180_000],
    ['250m', 250],
    ['500u', 0.5],
    ['99999999H', 2 ** 31 - 1],
    ['123456789m', null],
    ['1s', null],
    ['', null],
    [undefined, null],
  ])('with the timeout %s may take %s ms', (header, ms) => expect(timeoutOf(header)).toBe(ms));

  it.each([
    [400, 3],
    [401, 16],
    [403, 7],
    [404, 12],
    [408, 4],
    [413, 8],
    [415, 12],
    [503, 14],
    [500, 14],
  ])('that HTTP would answer with %d is answered with %d', (status, code) => expect(codeOf(status)).toBe(code));

  it.each([
    ['plain: a = 1', 'plain: a = 1'],
    ['100 %\nü😀', '100 %25%0A%C3%BC%F0%9F%98%80'],
    ['\ud800', '%EF%BF%BD'],
  ])('is refused with the text %j', (text, header) => expect(statusText(text)).toBe(header));

  it('has its message in pieces', async () => {
    const sent = framed(Buffer.from('some message'));
    let count = 0;
    const read = await readMessage(Readable.from(Array.from(sent, (byte) => Buffer.of(byte))), '', 100, (bytes) => (count += bytes));
    expect([read.bytes.toString(), read.packing, count]).toEqual(['some message', '', sent.length]);
  });
});

it('work is not waited for beyond its time', async () => {
  expect(await withinTime(Promise.resolve(1), null)).toBe(1);
  expect(await withinTime(Promise.resolve(2), 1000)).toBe(2);
  await expect(withinTime(new Promise(() => undefined), 5)).rejects.toMatchObject({ status: 408 });
  await expect(withinTime(Promise.reject(new Error('x')), 1000)).rejects.toThrow('x');
});
