import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withWindow } from '../../bench/window-process.ts';

const RECORDS = 2000;
const lineOf = (request: string, status: number): string =>
  `192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] "GET ${request} HTTP/1.1" ${status} 12\n`;

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the benchmark of the window finds in it what it clicks on, and sees all records', async () => {
  const file = join(folder, 'access.log');
  writeFileSync(file, Array.from({ length: RECORDS }, (_, i) => lineOf(`/${i}`, i % 10 === 0 ? 404 : 200)).join(''));
  const told = new Map<string, unknown>();
  await withWindow({ data: join(folder, 'data'), file, used: 1 }, async ({ marks }) => {
    for await (const { mark, value } of marks) {
      told.set(mark, value);
      if (mark === 'following') appendFileSync(file, lineOf(`/at/${Date.now()}`, 200));
      if (mark === 'used') break;
    }
  });
  const atLeastOne = expect.arrayContaining([expect.any(Number)]) as unknown;
  expect(told.get('seen')).toMatchObject({ records: RECORDS, frames: atLeastOne });
  expect(told.get('used')).toMatchObject({
    jump: [expect.any(Number)],
    record: [expect.any(Number)],
    filter: [expect.any(Number)],
    scroll: atLeastOne,
    follow: atLeastOne,
    ages: atLeastOne,
  });
});
