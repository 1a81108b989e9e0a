import { expect, it } from 'vitest';
import { DamagedError } from '../../../../engine/inputs/packed/errors.ts';
import { xzText } from '../../../../engine/inputs/packed/xz.ts';
import { packed, TEXT } from './fixtures.ts';

/** All text of some bytes, in pieces of this size, and the error behind it. */
async function read(bytes: Buffer, size: number): Promise<{ readonly text: Buffer; readonly error: unknown }> {
  async function* source(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
  }
  const pieces: Buffer[] = [];
  let error: unknown = null;
  try {
    for await (const piece of xzText(source())) pieces.push(piece);
  } catch (caught) {
    error = caught;
  }
  return { text: Buffer.concat(pieces), error };
}

it.each([1, 5, 1 << 20])('the text of two streams comes, from pieces of %d bytes', async (size) => {
  expect(await read(Buffer.concat([packed('xz'), packed('xz')]), size)).toEqual({ text: Buffer.concat([TEXT, TEXT]), error: null });
});

it('files that are read at the same time keep apart', async () => {
  const all = await Promise.all([1, 3, 7].map((size) => read(packed('xz'), size)));
  expect(all).toEqual(all.map(() => ({ text: TEXT, error: null })));
});

it.each([
  ['nothing', Buffer.alloc(0), 'unexpected end of file'],
  ['what is cut in its head', packed('xz').subarray(0, 9), 'unexpected end of file'],
  ['what is cut at its end', packed('xz').subarray(0, -3), 'unexpected end of file'],
  ['no xz stream', Buffer.from('no xz stream at all, but a text'), 'it is no xz stream'],
])('%s is damaged', async (_, bytes, reason) => {
  const { error } = await read(bytes, 1000);
  expect(error).toBeInstanceOf(DamagedError);
  expect(error).toMatchObject({ message: reason });
});
