import { describe, expect, it } from 'vitest';
import { lz4Text } from '../../../../engine/inputs/packed/lz4.ts';
import { xxh32, Xxh32 } from '../../../../engine/inputs/packed/xxh32.ts';
import { packed, TEXT } from './fixtures.ts';

async function unpack(...parts: Buffer[]): Promise<string> {
  const found: Buffer[] = [];
  async function* source(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.concat(parts));
  }
  for await (const piece of lz4Text(source())) found.push(piece);
  return Buffer.concat(found).toString();
}

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/** A frame of blocks of 64 KiB at most that stand alone. @param flags beside those of the version and of the blocks */
function frame(flags: number, rest: Buffer, ...blocks: readonly Buffer[]): Buffer {
  const header = Buffer.concat([Buffer.from([0x60 | flags, 0x40]), rest]);
  return Buffer.concat([word(0x184d2204), header, Buffer.from([(xxh32(header) >>> 8) & 255]), ...blocks, word(0)]);
}

const plain = (text: string): Buffer => Buffer.concat([word(0x80000000 | text.length), Buffer.from(text)]);

describe('an lz4 file', () => {
  it('has blocks that are not packed, sizes, and frames of others, which are passed', async () => {
    const other = Buffer.concat([word(0x184d2a53), word(3), Buffer.from('abc')]);
    const sized = frame(8, Buffer.alloc(8, 1), plain('one\n'), plain('two\n'));
    expect(await unpack(other, sized, other, packed('lz4Legacy'), frame(0, Buffer.alloc(0), plain('end')))).toBe(
      `one\ntwo\n${TEXT.toString()}end`,
    );
    expect(await unpack()).toBe('');
  });

  it.each([
    ['needs a dictionary', frame(1, Buffer.alloc(4), plain('a')), 'dictionary'],
    ['has a wrong header', Buffer.concat([word(0x184d2204), Buffer.from([0x60, 0x40, 1])]), 'checksum of the header'],
    ['is of another version', Buffer.concat([word(0x184d2204), Buffer.from([0xa0, 0x40, 1])]), 'another version'],
    ['has a block that is too large', frame(0, Buffer.alloc(0), word(70_000)), 'larger than it may be'],
    ['repeats what is not there', frame(0, Buffer.alloc(0), word(4), Buffer.from([0x00, 5, 0, 0])), 'a block is damaged'],
    ['has something behind', Buffer.concat([frame(0, Buffer.alloc(0)), Buffer.from('text')]), 'something else'],
    ['has a wrong checksum of its text', Buffer.concat([frame(4, Buffer.alloc(0), plain('a')), word(1)]), 'checksum of the text'],
  ])('that %s is refused', async (_title, bytes, reason) => {
    await expect(unpack(bytes)).rejects.toThrow(reason);
  });
});

it('the checksum is that of the specification, also of pieces', () => {
  expect(xxh32(Buffer.alloc(0))).toBe(0x02cc5d05);
  expect(xxh32(Buffer.from('abc'))).toBe(0x32d153ff);
  const bytes = Buffer.from('Nobody inspects the spammish repetition');
  expect(xxh32(bytes)).toBe(0xe2293b2f);
  for (let at = 0; at <= bytes.length; at++)
    expect(new Xxh32().update(bytes.subarray(0, at)).update(bytes.subarray(at)).digest()).toBe(0xe2293b2f);
});
