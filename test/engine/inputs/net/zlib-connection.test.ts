import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { constants, createDeflate, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ZlibConnection } from '../../../../engine/inputs/net/zlib-connection.ts';
import { until } from '../../../until.ts';

interface Run {
  readonly connection: ZlibConnection;
  readonly said: string[];
  readonly text: () => string;
  readonly ended: Promise<void>;
  readonly socket: { isPaused: boolean; isDestroyed: boolean };
}

function connect(bounds?: { readonly ratio: number; readonly freeBytes: number }): Run {
  const state = { isPaused: false, isDestroyed: false };
  const socket = {
    pause: () => void (state.isPaused = true),
    resume: () => void (state.isPaused = false),
    destroy: () => void (state.isDestroyed = true),
  };
  const said: string[] = [];
  let text = '';
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const events = {
    text: (bytes: Buffer) => void (text += bytes.toString('latin1')),
    fault: (error: Error) => void said.push(error.message),
    end: resolve,
  };
  const connection = new ZlibConnection(socket as never, events, bounds);
  return { connection, said, text: () => text, ended, socket: state };
}

/** Bytes of a sender that flushes behind each text, and ends its stream or not. */
async function sent(texts: readonly string[], ends = true): Promise<Buffer> {
  const deflate = createDeflate();
  const parts: Buffer[] = [];
  deflate.on('data', (part: Buffer) => parts.push(part));
  for (const text of texts) {
    deflate.write(text);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
  }
  if (ends) await once(deflate.end(), 'end');
  return Buffer.concat(parts);
}

const TEXTS = ['<13>one\n', '<13>two\n', `<13>${'x'.repeat(500)}\n`];

describe('a connection that is one zlib stream', () => {
  it('gives what was flushed before more comes, in whatever pieces', async () => {
    for (const size of [1, 7, 100_000]) {
      const { connection, text, said, ended } = connect();
      const first = await sent(TEXTS, false);
      for (let at = 0; at < first.length; at += size) connection.push(first.subarray(at, at + size));
      await until(() => text() === TEXTS.join(''), 'the text');
      const rest = (await sent(TEXTS)).subarray(first.length);
      connection.push(rest);
      connection.end();
      await ended;
      expect([text(), said]).toEqual([TEXTS.join(''), []]);
    }
  });

  it('gives all that was flushed when it is cut off', async () => {
    const { connection, text, ended, said } = connect();
    connection.push(await sent(TEXTS, false));
    connection.end();
    await ended;
    expect([text(), said]).toEqual([TEXTS.join(''), ['unexpected end of file']]);
  });

  it('that brings nothing ends', async () => {
    const { connection, ended, said } = connect();
    connection.end();
    await ended;
    expect([connection.isBusy, said]).toEqual([false, []]);
  });

  const large = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `<13>line ${i} ${(i * 7919) % 10_007}\n`).join(''));
  const flipped = (at: number): Buffer => {
    const bytes = deflateSync(large);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    return bytes;
  };
  it.each<[title: string, data: () => Buffer, said: RegExp, atLeast: number]>([
    ['text', () => Buffer.from('<13>one\n'), /incorrect header check/, 0],
    ['gzip', () => gzipSync('one'), /incorrect header check/, 0],
    ['deflate without a head', () => deflateRawSync('one'), /incorrect header check|unknown compression method/, 0],
    ['a dictionary', () => deflateSync('one', { dictionary: Buffer.from('one') }), /dictionary/, 0],
    ['damage amid it', () => flipped(40_000), /./, 100_000],
    ['a wrong checksum', () => flipped(deflateSync(large).length - 1), /incorrect data check/, large.length - 100_000],
    ['its end too early', () => deflateSync(large).subarray(0, 40_000), /unexpected end of file/, 100_000],
    ['one byte', () => deflateSync('one').subarray(0, 1), /unexpected end of file/, 0],
    ['something behind it', () => Buffer.concat([deflateSync(large), Buffer.from('more')]), /something follows its end/, large.length],
    ['another one behind it', () => Buffer.concat([deflateSync('one'), deflateSync('two')]), /something follows its end/, 3],
  ])('is closed with %s, and what came before is kept', async (_title, data, expected, atLeast) => {
    for (const paused of [false, true]) {
      const { connection, said, text, ended, socket } = connect();
      if (paused) connection.pause();
      const bytes = data();
      for (let at = 0; at < bytes.length; at += 60_000) connection.push(bytes.subarray(at, at + 60_000));
      connection.end();
      if (paused) connection.resume();
      await ended;
      expect(said).toEqual([expect.stringMatching(expected)]);
      expect(socket.isDestroyed).toBe(true);
      expect(text().length).toBeGreaterThanOrEqual(atLeast);
      // Behind damage there may be some wrong text before it is noticed.
      expect((atLeast > 3 ? large : 'one').toString().slice(0, atLeast)).toBe(text().slice(0, atLeast));
      connection.push(Buffer.from('more'));
      expect(said).toHaveLength(1);
    }
  });

  it('is closed as soon as it is a bomb', async () => {
    const { connection, said, text, ended } = connect({ ratio: 100, freeBytes: 1 << 20 });
    connection.push(deflateSync(Buffer.alloc(50 << 20)).subarray(0, 20_000));
    await ended;
    expect(said).toEqual(['unpacked, it is more than 100 times its size']);
    expect(text().length).toBeLessThan(3 << 20);
  });

  it('is not closed for lines that repeat', async () => {
    const { connection, said, text, ended } = connect({ ratio: 500, freeBytes: 1 << 16 });
    const lines = '<13>app: failed.\n'.repeat(200_000);
    connection.push(deflateSync(lines, { level: 9 }));
    connection.end();
    await ended;
    expect([said, text().length]).toEqual([[], lines.length]);
  });

  it('makes its sender wait while its text is not taken, and holds little then', async () => {
    const { connection, text, ended, socket, said } = connect();
    const bytes = deflateSync(Buffer.alloc(40 << 20));
    connection.pause();
    expect(socket.isPaused).toBe(true);
    connection.push(bytes);
    await delay(100);
    expect([text(), connection.isBusy]).toEqual(['', true]);
    connection.resume();
    await until(() => text().length > 0, 'text');
    connection.pause();
    await delay(20);
    const taken = text().length;
    await delay(50);
    expect([text().length, socket.isPaused]).toEqual([taken, true]);
    connection.resume();
    connection.end();
    await ended;
    expect([text().length, said, connection.isBusy]).toEqual([40 << 20, [], false]);
  });

  it('is given up with what waits', async () => {
    const { connection, text, ended, said, socket } = connect();
    connection.pause();
    connection.push(deflateSync(Buffer.alloc(10 << 20)));
    connection.destroy();
    await ended;
    connection.end();
    expect([text(), said, socket.isDestroyed]).toEqual(['', [], true]);
  });
});
