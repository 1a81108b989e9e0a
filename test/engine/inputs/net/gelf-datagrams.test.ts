import { randomBytes } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { GelfDatagrams, GelfError } from '../../../../engine/inputs/net/gelf-datagrams.ts';
import { chunksOf } from './net-fixtures.ts';

const TEXT = '{"version":"1.1","host":"h","short_message":"hi"}';

describe('a datagram', () => {
  it.each<[string, Buffer]>([
    ['plain', Buffer.from(TEXT)],
    ['gzip', gzipSync(TEXT)],
    ['zlib', deflateSync(TEXT)],
    ['zlib without compression', deflateSync(TEXT, { level: 0 })],
  ])('that is a whole message: %s', (_form, datagram) => {
    expect(new GelfDatagrams().take(datagram, '')?.toString()).toBe(TEXT);
  });

  it.each<[string, Buffer]>([
    ['no content', Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2])],
    ['a place beyond the last', Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 2, 2, 65])],
    ['too many others', Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0, 129, 65])],
    ['no others', Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 65])],
    ['damaged gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3])],
    ['a bomb', gzipSync(Buffer.alloc(9 << 20))],
  ])('is refused with %s', (_fault, datagram) => {
    const gelf = new GelfDatagrams();
    expect(() => gelf.take(datagram, '')).toThrow(GelfError);
    expect(gelf.waitingBytes).toBe(0);
  });
});

describe('chunks', () => {
  it.each([
    ['in order', (chunks: Buffer[]) => chunks],
    ['the other way round', (chunks: Buffer[]) => chunks.toReversed()],
    [
      'twice each',
      (chunks: Buffer[]) =>
        chunks
          .slice(0, -1)
          .flatMap((chunk) => [chunk, chunk])
          .concat(chunks.slice(-1)),
    ],
  ])('are put together: %s', (_order, order) => {
    const gelf = new GelfDatagrams();
    const text = randomBytes(3000).toString('hex');
    const taken = order(chunksOf(gzipSync(text), 200)).map((chunk) => {
      // The memory of a datagram is used again.
      const memory = Buffer.from(chunk);
      const message = gelf.take(memory, 'h')?.toString() ?? null;
      memory.fill(0);
      return message;
    });
    expect(taken.filter((message) => message !== null)).toEqual([text]);
    expect([gelf.waitingBytes, gelf.lost]).toEqual([0, 0]);
  });

  it('of two senders with one id are two messages', () => {
    const gelf = new GelfDatagrams();
    const [a, b] = ['a1a2', 'b1b2'].map((text) => chunksOf(Buffer.from(text), 2, 7)) as [Buffer[], Buffer[]];
    const taken = [a[0], b[0], a[1], b[1]].map((chunk, i) => gelf.take(chunk as Buffer, `h${i % 2}`)?.toString());
    expect(taken).toEqual([undefined, undefined, 'a1a2', 'b1b2']);
  });

  it('that say something else about their message are refused', () => {
    const gelf = new GelfDatagrams();
    gelf.take(chunksOf(Buffer.from('abcd'), 2, 7)[0] as Buffer, '');
    expect(() => gelf.take(chunksOf(Buffer.from('abcdef'), 2, 7)[1] as Buffer, '')).toThrow('a chunk of 3 of a message that has 2');
  });

  it('are given up after five seconds, when others come or at the end', () => {
    let now = 0;
    const gelf = new GelfDatagrams(() => now);
    const send = (id: number, which: number): string | undefined =>
      gelf.take(chunksOf(Buffer.from('abcd'), 2, id)[which] as Buffer, '')?.toString();
    send(1, 0);
    now = 5000;
    expect(send(1, 1)).toBe('abcd');
    send(2, 0);
    now = 10_001;
    expect(send(2, 1)).toBeUndefined();
    expect(gelf.lost).toBe(1);
    gelf.end();
    expect([gelf.lost, gelf.waitingBytes]).toEqual([2, 0]);
  });

  it('that are never complete take little memory, and the newest stay', () => {
    const gelf = new GelfDatagrams();
    const [first, last] = chunksOf(Buffer.alloc(16_000, 'x'), 8000, 1) as [Buffer, Buffer];
    for (let i = 0; i < 5000; i++) {
      first.writeUInt32LE(i, 2);
      gelf.take(first, '');
    }
    expect(gelf.waitingBytes).toBeLessThanOrEqual(16 << 20);
    expect(gelf.lost).toBeGreaterThan(2500);
    last.writeUInt32LE(4999, 2);
    expect(gelf.take(last, '')).toHaveLength(16_000);
    for (let i = 0; i < 40_000; i++) {
      first.writeUInt32LE(i, 2);
      gelf.take(first.subarray(0, 13), '');
    }
    expect(gelf.waitingBytes).toBeLessThanOrEqual(16 << 20);
  });
});
