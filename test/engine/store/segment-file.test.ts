import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RecordStore } from '../../../engine/store/record-store.ts';
import { recordRows } from '../../../engine/store/rows.ts';
import { SegmentFile } from '../../../engine/store/segment-file.ts';
import { RecordView } from '../../../engine/store/view.ts';
import { CAN_MOUNT, SmallDisk } from '../../small-disk.ts';
import { until } from '../../until.ts';
import { linesBatch, newFolder } from './fixtures.ts';

afterEach(() => void vi.restoreAllMocks());

const piece = (text: string): Uint8Array => Buffer.from(text);
const textOf = async (file: SegmentFile, place: Parameters<SegmentFile['read']>[0]): Promise<string> =>
  Buffer.from(await file.read(place)).toString();

/** Lets so many writes of any file take three bytes of theirs and fail. */
async function failWrites(times: number): Promise<void> {
  const handle = await open(join(newFolder(), 'any'), 'w');
  const shared = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { writev } = shared;
  let left = times;
  vi.spyOn(shared, 'writev').mockImplementation(async function (this: FileHandle, pieces, position) {
    if (left-- <= 0) return writev.call(this, pieces, position);
    await writev.call(this, [(pieces[0] as Uint8Array).subarray(0, 3)], position);
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  });
}

describe('a file of segments that cannot be written for a while', () => {
  it('is written when it can be, each piece once and in its place, and that is said once', async () => {
    const said: (string | null)[] = [];
    const file = new SegmentFile(newFolder(), (text) => said.push(text));
    await failWrites(2);
    const places = await Promise.all([file.append([piece('one '), piece('two')]), file.append([piece('three')])]);
    expect(await Promise.all(places.map((place) => textOf(file, place)))).toEqual(['one two', 'three']);
    expect(said).toEqual([expect.stringMatching(/cannot be written \(ENOSPC.*free some space/), null]);
    await file.close();
  });

  it('is not waited for when it is closed', async () => {
    const said: (string | null)[] = [];
    const file = new SegmentFile(newFolder(), (text) => said.push(text));
    await failWrites(Infinity);
    const appended = file.append([piece('one')]);
    appended.catch(() => undefined);
    await until(() => said.length > 0, 'the problem');
    await file.close();
    await expect(appended).rejects.toThrow('ENOSPC');
  });

  it('waits for its folder, and makes it, when a file is in its place at the start', async () => {
    const folder = join(newFolder(), 'store');
    writeFileSync(folder, 'in the way');
    const said: (string | null)[] = [];
    const file = new SegmentFile(folder, (text) => said.push(text));
    const appended = file.append([piece('one')]);
    await until(() => said.length > 0, 'the problem');
    expect(said).toEqual([expect.stringMatching(/segments-.* cannot be written .*; move away what is in its place$/)]);
    rmSync(folder);
    expect(await textOf(file, await appended)).toBe('one');
    await file.close();
  });

  it('is closed where its folder could never be made', async () => {
    const folder = join(newFolder(), 'store');
    writeFileSync(folder, 'in the way');
    const file = new SegmentFile(folder);
    const appended = file.append([piece('one')]);
    appended.catch(() => undefined);
    await file.close();
    await expect(appended).rejects.toThrow('EEXIST');
  });

  it('is made when its folder is there again', async () => {
    const folder = join(newFolder(), 'store');
    const said: (string | null)[] = [];
    const file = new SegmentFile(folder, (text) => said.push(text));
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in the way');
    const appended = file.append([piece('one')]);
    await until(() => said.length > 0, 'the problem');
    rmSync(folder);
    mkdirSync(folder);
    expect(await textOf(file, await appended)).toBe('one');
    await file.close();
  });
});

describe.runIf(CAN_MOUNT)('a store whose disk is full, where file systems can be mounted', () => {
  /** About half a MiB. */
  const lines = (from: number) =>
    Array.from({ length: 5000 }, (_, i) => ({ at: from + i, text: `line ${String(from + i).padEnd(90, '.')}`, status: 200 }));
  const view = (store: RecordStore): RecordView =>
    new RecordView(
      store,
      {},
      () => undefined,
      (error) => {
        throw error;
      },
    );
  const append = (store: RecordStore, from: number, source = 1): Promise<void> =>
    store.append({ ...linesBatch(lines(from)), source, decoder: 'test' });

  it('shows what it has, lets further records wait, and goes on when there is room', async () => {
    using disk = new SmallDisk(64 << 10);
    const said: (string | null)[] = [];
    const store = new RecordStore({ folder: disk.at('store'), onProblem: (text) => said.push(text) });
    const shown = view(store);
    await append(store, 0);
    await store.flushed();
    disk.fill();
    let waits = false;
    let from = 0;
    while (!waits) {
      const appended = append(store, (from += 5000));
      waits = await Promise.race([appended.then(() => false), new Promise<boolean>((resolve) => setTimeout(resolve, 300, true))]);
    }
    await until(() => said.length > 0, 'the problem');
    expect(said).toEqual([expect.stringContaining('ENOSPC')]);
    await until(() => shown.total === from + 5000, 'all rows');
    const rows = async (start: number): Promise<string[]> =>
      recordRows(await shown.page(start, 2), []).map(({ text }) => text.replace(/\.+$/, ''));
    expect(await rows(from)).toEqual([`line ${from}`, `line ${from + 1}`]);
    // A source that is closed meanwhile waits for nothing.
    await store.passing(2, () => append(store, from + 5000, 2));
    disk.free();
    await store.flushed();
    expect(said.slice(1)).toEqual([null]);
    expect(await rows(2)).toEqual(['line 2', 'line 3']);
    expect(await rows(from)).toEqual([`line ${from}`, `line ${from + 1}`]);
    shown.close();
    await store.close();
  });
});
