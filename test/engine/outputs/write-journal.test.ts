import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WriteJournal, type JournalBatch } from '../../../engine/outputs/write-journal.ts';

let folder: string;
let journal: WriteJournal;
const slot = (number: number): string => join(folder, `appended-${number % 2}`);
const batch = (text: string, at = 0): JournalBatch => ({ path: '/log', device: '1', inode: '2', at, mark: null, bytes: Buffer.from(text) });

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'sluicebox-journal-')), 'journal');
  journal = new WriteJournal(folder);
});
afterEach(async () => {
  await journal.close();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

/** The text of the batch that a later process finds. */
async function found(): Promise<string | null> {
  const last = await new WriteJournal(folder).last();
  return last === null ? null : Buffer.from(last.bytes).toString();
}

describe('the last batch', () => {
  it('is none at first', async () => expect(await found()).toBeNull());

  it('comes back as it was', async () => {
    await journal.note({ ...batch('one\n', 7), mark: 'm' });
    expect(await new WriteJournal(folder).last()).toMatchObject({
      path: '/log',
      device: '1',
      inode: '2',
      at: 7,
      mark: 'm',
      bytes: Buffer.from('one\n'),
    });
  });

  it('is the one that was noted last, also when it is shorter than the one it takes the place of', async () => {
    for (const text of ['a long first batch\n', 'second\n', 'x\n', '']) {
      await journal.note(batch(text));
      expect(await found()).toBe(text);
    }
  });

  it.each([
    ['cut', (path: string) => truncateSync(path, readFileSync(path).length - 1)],
    ['empty', (path: string) => truncateSync(path, 0)],
    ['changed', (path: string) => writeFileSync(path, readFileSync(path, 'latin1').replace('second', 'Second'))],
    ['not the one', (path: string) => writeFileSync(path, '00000000{}\n')],
  ])('is the one before when its own is %s', async (_what, damage) => {
    await journal.note(batch('first'));
    await journal.note(batch('second'));
    damage(slot(2));
    expect(await found()).toBe('first');
    damage(slot(1));
    expect(await found()).toBe(_what === 'changed' ? 'first' : null);
  });

  it('ends where its bytes end', async () => {
    await journal.note(batch('one'));
    appendFileSync(slot(1), 'rest of an older one');
    expect(await found()).toBe('one');
  });
});

it('goes on behind what an earlier process noted', async () => {
  await journal.note(batch('old'));
  const next = new WriteJournal(folder);
  expect((await next.last())?.at).toBe(0);
  await next.note(batch('new', 3));
  expect(await found()).toBe('new');
  await next.close();
  expect([existsSync(slot(0)), existsSync(slot(1))]).toEqual([false, false]);
});
