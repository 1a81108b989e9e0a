import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareCursors, cursorText, QueueFolder, readCursor } from '../../../engine/queue/segments.ts';

const cursor = fc.record({ segment: fc.nat(1e9), offset: fc.maxSafeNat().filter((offset) => offset < 1e15) });

describe('a position', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(cursor, (at) => {
        expect(readCursor(cursorText(at))).toEqual(at);
        expect(readCursor(`${cursorText(at)}   \n`)).toEqual(at);
      }),
    );
  });

  it.each(['', '1', '1 ', ' 1 2', '1 2 3', '-1 2', '1 2x', '1  2', '1 1000000000000000'])('%j is none', (text) =>
    expect(readCursor(text)).toBeNull(),
  );

  it('is before another by its segment, and then by its offset', () => {
    fc.assert(
      fc.property(cursor, cursor, (a, b) => {
        const sign = Math.sign(compareCursors(a, b));
        expect(sign).toBe(a.segment === b.segment ? Math.sign(a.offset - b.offset) : Math.sign(a.segment - b.segment));
        expect(Math.sign(compareCursors(b, a)) + sign).toBe(0);
      }),
    );
  });
});

describe('the folder of a queue', () => {
  let root: string;
  let folder: QueueFolder;
  const at = (name: string): string => join(root, 'queue', name);

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'sluicebox-segments-'));
    folder = new QueueFolder(join(root, 'queue'));
    await folder.make();
  });
  afterEach(async () => {
    await folder.close();
    rmSync(root, { recursive: true, force: true });
  });

  it('lists its segments by their numbers', async () => {
    for (const name of ['10.log', '2.log', '0.log', '01.log', 'x.log', '3.log.tmp', '-1.log']) writeFileSync(at(name), 'x');
    expect(await folder.segments()).toEqual([0, 2, 10]);
    expect([await folder.sizeOf(2), await folder.sizeOf(3)]).toEqual([1, 0]);
  });

  it('removes the segments before one', async () => {
    for (const segment of [0, 1, 2]) writeFileSync(folder.segmentPath(segment), '');
    await folder.removeBefore(2);
    expect(await folder.segments()).toEqual([2]);
  });

  it('keeps a checkpoint of one length', async () => {
    expect(await folder.readCheckpoint()).toBeNull();
    for (const position of [
      { segment: 123, offset: 456_789 },
      { segment: 124, offset: 0 },
    ]) {
      await folder.writeCheckpoint(position);
      expect(await folder.readCheckpoint()).toEqual(position);
      expect(readFileSync(at('checkpoint.txt'))).toHaveLength(32);
    }
    expect(existsSync(at('checkpoint.txt.tmp'))).toBe(false);
  });

  it('says that a checkpoint cannot be read', async () => {
    writeFileSync(at('checkpoint.txt'), 'junk');
    expect(await folder.readCheckpoint()).toBe('damaged');
  });

  it('writes no checkpoint through a link', async () => {
    writeFileSync(join(root, 'other'), 'kept');
    symlinkSync(join(root, 'other'), at('checkpoint.txt.tmp'));
    await folder.writeCheckpoint({ segment: 1, offset: 2 });
    expect(readFileSync(join(root, 'other'), 'utf8')).toBe('kept');
  });

  it('is away while another one is in its place', async () => {
    expect(await folder.isAway()).toBe(false);
    renameSync(folder.path, `${folder.path}.moved`);
    expect(await folder.isAway()).toBe(true);
    await new QueueFolder(folder.path).make();
    expect(await folder.isAway()).toBe(true);
  });
});
