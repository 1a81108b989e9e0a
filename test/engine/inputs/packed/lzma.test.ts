import { expect, it } from 'vitest';
import { DamagedError } from '../../../../engine/inputs/packed/errors.ts';
import { lzmaText } from '../../../../engine/inputs/packed/lzma.ts';
import { packed, packedNuls, TEXT } from './fixtures.ts';

/** All text of some bytes, in pieces of this size, and the error behind it. */
async function read(bytes: Buffer, size: number): Promise<{ readonly text: Buffer; readonly error: unknown }> {
  async function* source(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
  }
  const pieces: Buffer[] = [];
  let error: unknown = null;
  try {
    for await (const piece of lzmaText(source())) pieces.push(piece);
  } catch (caught) {
    error = caught;
  }
  return { text: Buffer.concat(pieces), error };
}

it.each([1, 7, 1 << 20])('the text comes, from pieces of %d bytes', async (size) => {
  expect(await read(packed('lzma'), size)).toEqual({ text: TEXT, error: null });
});

it('the text has its size where that is told, and ends there', async () => {
  const bytes = packed('lzma');
  bytes.writeBigUInt64LE(100n, 5);
  expect(await read(bytes, 1000)).toEqual({ text: TEXT.subarray(0, 100), error: null });
});

it('matches reach over pieces of the text', async () => {
  expect(await read(packedNuls('lzma'), 1 << 20)).toEqual({ text: Buffer.alloc(4 << 20), error: null });
});

it('a stream that is cut has the text before the cut', async () => {
  const { text, error } = await read(packed('lzma').subarray(0, 200), 50);
  expect(text.length).toBeGreaterThan(100);
  expect(TEXT.subarray(0, text.length)).toEqual(text);
  expect(error).toBeInstanceOf(DamagedError);
});

it.each([
  ['nothing', Buffer.alloc(0), 'unexpected end of file'],
  ['no lzma stream', Buffer.from('\xff no lzma stream at all', 'latin1'), 'it is no lzma stream'],
  ['a match of nothing', Buffer.concat([packed('lzma').subarray(0, 14), Buffer.alloc(99, 0xff)]), 'the data are damaged'],
])('%s is damaged', async (_, bytes, message) => {
  expect((await read(bytes, 1000)).error).toMatchObject({ name: 'DamagedError', message });
});
