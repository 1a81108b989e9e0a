import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { CursorBook } from '../../../../engine/inputs/http/cursor-book.ts';
import type { InputNotice } from '../../../../engine/inputs/types.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function place(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cursors-'));
  folders.push(folder);
  return join(folder, 'deep', 'a.cursors');
}

async function book(path: string, rule: object = {}): Promise<{ book: CursorBook; notices: InputNotice[] }> {
  const notices: InputNotice[] = [];
  const made = new CursorBook(path, rule, (notice) => notices.push(notice));
  await made.load();
  return { book: made, notices };
}

it('begins where everything was taken', async () => {
  const path = await place();
  const { book: first } = await book(path);
  expect(first.at('u')).toBeNull();
  first.move('u', '2');
  first.keep('u', '2');
  first.move('u', '3');
  expect(first.at('u')).toBe('3');
  await first.settle();
  expect((await book(path)).book.at('u')).toBe('2');
});

it('forgets cursors of another rule', async () => {
  const path = await place();
  const { book: first } = await book(path, { kind: 'page' });
  first.keep('u', '2');
  await first.settle();
  const { book: second, notices } = await book(path, { kind: 'offset' });
  expect([second.at('u'), notices]).toEqual([null, []]);
});

it.each(['', '{}', '{"rule":"{}","cursors":{"u":1}}'])('tells that it cannot use %j', async (text) => {
  const path = await place();
  await mkdir(join(path, '..'));
  await writeFile(path, text);
  const { book: made, notices } = await book(path);
  expect([made.at('u'), notices.map(({ code }) => code)]).toEqual([null, ['checkpoint.unusable']]);
});

it('tells once that it cannot write, and when it can again', async () => {
  const path = await place();
  const { book: made, notices } = await book(path);
  await writeFile(join(path, '..'), 'in the way');
  made.keep('u', '1');
  await made.settle();
  made.keep('u', '2');
  await made.settle();
  await rm(join(path, '..'));
  made.keep('u', '3');
  await made.settle();
  expect(notices.map(({ code }) => code)).toEqual(['checkpoint.unwritable', 'checkpoint.written']);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ cursors: { u: '3' } });
});
