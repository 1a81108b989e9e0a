import { describe, expect, it } from 'vitest';
import { isHead, tarEntries, TarStream, type TarEntry } from '../../../../engine/inputs/archive/tar.ts';
import fc from '../../../fast-check.ts';
import { pax, tarOf } from './make-archives.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function entriesOf(bytes: Buffer, size = 1000): Promise<TarEntry[]> {
  const found: TarEntry[] = [];
  for await (const entry of tarEntries(new TarStream(pieces(bytes, size)))) found.push(entry);
  return found;
}

/** The head of a file with a change, and its checksum right again. */
function changed(change: (head: Buffer) => void): Buffer {
  const bytes = tarOf([{ name: 'a.log' }]);
  change(bytes);
  bytes.write('        ', 148);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

describe('a tar archive', () => {
  it('has the entries that were put in, in pieces of any size', async () => {
    const name = fc.stringMatching(/^[a-z]{1,30}(?:\/[a-zä]{1,60}){0,3}\.log$/);
    const file = fc.record({ name, text: fc.string({ maxLength: 2000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 6 }), fc.integer({ min: 1, max: 1500 }), async (files, size) => {
        const found = await entriesOf(tarOf(files), size);
        expect(found.map((entry) => [entry.name, entry.size])).toEqual(files.map((one) => [one.name, Buffer.byteLength(one.text)]));
      }),
      { numRuns: 25 },
    );
  });

  it('has names in two parts, sizes in bytes, and attributes for all', async () => {
    expect(await entriesOf(changed((head) => head.write('var/log', 345)))).toMatchObject([{ name: 'var/log/a.log' }]);
    const large = changed((head) => {
      head.fill(0, 124, 136);
      head[124] = 0x80;
      head.writeUInt32BE(2, 128);
    });
    await expect(entriesOf(large)).rejects.toThrow('unexpected end of file');
    const shared = tarOf([{ ...pax({ mtime: '12.25' }), type: 'g' }, { name: 'a' }, { name: 'b' }]);
    expect((await entriesOf(shared)).map(({ writtenNs }) => writtenNs)).toEqual([12_250_000_000n, 12_250_000_000n]);
    const sparse = tarOf([pax({ 'GNU.sparse.major': '1' }), { name: 'holes' }]);
    expect(await entriesOf(sparse)).toMatchObject([{ type: 'S' }]);
  });

  it('is told to be damaged or cut', async () => {
    const bytes = tarOf([{ name: 'a', text: 'x'.repeat(600) }, { name: 'b' }]);
    expect(isHead(bytes.subarray(0, 512))).toBe(true);
    await expect(entriesOf(bytes.subarray(0, 700))).rejects.toThrow('unexpected end of file');
    bytes.write('oops', 512 + 1024 + 10);
    await expect(entriesOf(bytes)).rejects.toThrow('no file begins where one must');
    await expect(entriesOf(tarOf([pax({ size: '-5' }), { name: 'a' }]))).rejects.toThrow('no number');
  });
});
