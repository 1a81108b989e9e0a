/** A store whose list or one of whose files was cut says so, and loses nothing else. */
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCode } from '../../../engine/base/errors.ts';
import { MANIFEST } from '../../../engine/lake/manifest.ts';
import { Store } from '../../../engine/lake/store.ts';
import { StoreWriter } from '../../../engine/lake/store-writer.ts';
import { markOf } from '../../../engine/lake/text-file.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { testMs } from '../../patience.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-cut-'));
const whole = join(folder, 'whole');
let copies = 0;

const NO_MARK = markOf(new Uint8Array());

/** Adds a log with so many files to a store. */
async function addLog(store: Store, writer: StoreWriter, path: string, files: number): Promise<void> {
  await writer.begin([]);
  let id: number | null = null;
  for (let file = 0; file < files; file++) {
    const messages = Array.from({ length: 20 }, (_, i) => ({
      uuid: new Uint8Array(16),
      timestamp: BigInt(file * 100 + i),
      fields: Array.from({ length: 12 }, (_, n) => ({ name: `field_${n}`, valueType: 0 as const, values: [`${path} ${file} ${i}`] })),
    }));
    await writer.add(batchOf(messages), null);
    const added = (await writer.seal()).map((made) => ({ file: made, last: false }));
    const marks = { size: 0, head: NO_MARK, tail: NO_MARK, settled: 0, settledLines: 0 };
    id = await store.commit({ table: path, path, decoder: null, fileSize: 0, fileMtimeNs: 0n, ...marks }, id, { added, removed: [] });
  }
}

beforeAll(async () => {
  using store = await Store.toWrite(whole, { create: true });
  const writer = new StoreWriter(store.filesFolder);
  for (const path of ['one', 'other']) await addLog(store, writer, path, 4);
  await writer.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function copyOfStore(): string {
  const place = join(folder, String(copies++));
  cpSync(whole, place, { recursive: true });
  return place;
}

/** Result of opening a store for reading: the number of its good files, or the code of the error. */
function opened(place: string): number | string {
  try {
    using store = Store.toRead(place);
    return store.manifest.files().length - store.broken.length;
  } catch (error) {
    return errorCode(error) || String(error);
  }
}

/** The Parquet files in a store, those that were set aside included. */
const parquetFiles = (place: string): string[] =>
  ['files', 'broken'].flatMap((name) => {
    try {
      return readdirSync(join(place, name));
    } catch {
      return [];
    }
  });

describe('a store that was cut', { timeout: testMs() }, () => {
  it('says that its list cannot be read, wherever that was cut, and keeps its files', async () => {
    const place = copyOfStore();
    const path = join(place, MANIFEST);
    const bytes = readFileSync(path);
    const names = parquetFiles(place);
    expect(opened(place)).toBe(8);
    const edges = Array.from({ length: Math.ceil(bytes.length / 512) }, (_, i) => i * 512).flatMap((at) => [at - 1, at, at + 1]);
    const lengths = [...Array.from({ length: 120 }, (_, i) => i), ...edges].filter((at) => at >= 0 && at < bytes.length);
    for (const length of lengths) {
      writeFileSync(path, bytes.subarray(0, length));
      expect(String(opened(place)), String(length)).toMatch(length < 512 ? /^store\.(?:missing|unreadable)$/ : /^store\.unreadable$/);
      if (length < 512 || length % 512 > 1) continue;
      await expect(Store.toWrite(place, { create: true }), String(length)).rejects.toMatchObject({ code: 'store.unreadable' });
    }
    expect(parquetFiles(place)).toEqual(names);
  });

  it.each([0, 1])('sets its files aside when %i bytes of its list are left', async (length) => {
    const place = copyOfStore();
    const names = parquetFiles(place);
    truncateSync(join(place, MANIFEST), length);
    using store = await Store.toWrite(place, { create: true });
    expect(store.manifest.files()).toEqual([]);
    expect(readdirSync(join(place, 'files'))).toEqual([]);
    expect(readdirSync(join(place, 'broken')).sort()).toEqual(names.sort());
  });

  it('names a file that was cut anywhere or has other bytes at its end, and answers from the others', () => {
    const place = copyOfStore();
    const [name = ''] = readdirSync(join(place, 'files'));
    const path = join(place, 'files', name);
    const saved = join(folder, 'saved.parquet');
    copyFileSync(path, saved);
    const { size } = statSync(path);
    for (let length = 0; length < size; length++) {
      truncateSync(path, length);
      using store = Store.toRead(place);
      expect(store.broken.map((file) => file.name)).toEqual([name]);
      copyFileSync(saved, path);
      if (length > 40) length += 64;
    }
    expect(opened(place)).toBe(8);
    const bytes = readFileSync(saved);
    const footer = bytes.readUInt32LE(size - 8);
    fc.assert(
      fc.property(fc.nat({ max: footer + 7 }), fc.integer({ min: 1, max: 255 }), (back, bits) => {
        const changed = Buffer.from(bytes);
        changed[size - 1 - back] = (changed[size - 1 - back] as number) ^ bits;
        writeFileSync(path, changed);
        expect(opened(place)).toBe(7);
      }),
    );
  });
});
