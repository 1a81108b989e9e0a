import { describe, expect, it } from 'vitest';
import { bzip2Text } from '../../../../engine/inputs/packed/bzip2.ts';
import { DamagedError } from '../../../../engine/inputs/packed/errors.ts';
import fc from '../../../fast-check.ts';
import { packed, TEXT } from './fixtures.ts';

async function unpack(bytes: Buffer): Promise<string> {
  const found: Buffer[] = [];
  async function* source(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(bytes);
  }
  for await (const piece of bzip2Text(source())) found.push(piece);
  return Buffer.concat(found).toString();
}

describe('a bzip2 file', () => {
  it('may be empty, and be followed by NUL', async () => {
    const empty = Buffer.from('BZh9\x17rE8P\x90\0\0\0\0', 'latin1');
    expect(await unpack(empty)).toBe('');
    expect(await unpack(Buffer.concat([packed('bzip2'), empty, Buffer.alloc(512)]))).toBe(TEXT.toString());
  });

  it('is not followed by anything else', async () => {
    await expect(unpack(Buffer.concat([packed('bzip2'), Buffer.from('text')]))).rejects.toThrow('something else');
  });

  it('of any damage ends with its text or an error of its own', async () => {
    const whole = packed('bzip2');
    const place = fc.integer({ min: 4, max: whole.length - 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(place, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, mask] of changes) bytes[at] = (bytes[at] as number) ^ mask;
        const result: unknown = await unpack(bytes).catch((error: unknown) => error);
        expect(result === TEXT.toString() || result instanceof DamagedError).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
