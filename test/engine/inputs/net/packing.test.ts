import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DamagedError, TooLargeError } from '../../../../engine/inputs/packed/errors.ts';
import { packingNotice, zlibNotice, type Packing } from '../../../../engine/inputs/net/packing.ts';
import { countedSingle } from './net-fixtures.ts';

const place = { host: '192.0.2.7', name: 'in' };

describe('the beginning of a connection', () => {
  const stream = deflateSync('<13>one\n');
  const single = countedSingle('<13>one');
  it.each<[string, Buffer, Packing, RegExp | null]>([
    ['text', Buffer.from('<13>one\n'), 'none', null],
    ['counted text', Buffer.from('7 <13>one'), 'none', null],
    ['text like zlib', Buffer.from('x^2 + y^2\n'), 'none', null],
    ['text like a packed message', Buffer.from('12 zebras\n'), 'none', null],
    ['gzip', gzipSync('one'), 'none', null],
    ['nothing', Buffer.alloc(0), 'none', null],
    ['a stream', stream, 'none', /^192\.0\.2\.7 .* input in: set compression = "stream"/],
    ['a stream where single messages are taken', stream, 'single', /compression = "stream"/],
    ['a stream that is taken', stream, 'stream', null],
    ['a packed message', single, 'none', /compression = "single"/],
    ['a packed message where streams are taken', single, 'stream', /compression = "single"/],
    ['a packed message that is taken', single, 'single', null],
    ...(['none', 'single', 'stream'] as const).map((taken): [string, Buffer, Packing, RegExp] => [
      `zstd where ${taken} is taken`,
      zstdCompressSync('one'),
      taken,
      /compression\.driver="zlib"/,
    ]),
  ])('gives advice or none: %s', (_what, bytes, taken, said) => {
    const notice = packingNotice(bytes, taken, place);
    expect(notice?.text ?? null).toEqual(said === null ? null : expect.stringMatching(said));
  });
});

it.each<[string, Error, string, RegExp]>([
  ['damage', new DamagedError('incorrect header check'), 'stream.framing', /from 192\.0\.2\.7 .*\(incorrect header check\).*stream:always/],
  ['a bomb', new TooLargeError('unpacked, it is more than 500 times its size'), 'stream.framing', /500 times .*Find out what sends it/],
  ['an early end', Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' }), 'connection.broken', /had not flushed/],
])('the end of a stream is told with its sender: %s', (_what, error, code, text) => {
  expect(zlibNotice(error, place)).toMatchObject({ code, text: expect.stringMatching(text) as string });
});
