import { expect, test } from 'vitest';
import type { Fetched } from '../../../../renderer/src/lib/table/row-feed.ts';
import { Rows, type TableRow } from '../../../../renderer/src/state/rows.svelte.ts';
import { ROW_HEIGHT } from '../../../../renderer/src/lib/table/virtual.ts';

/** A table of ten rows that follows a list, which grows by this number of rows with each answer. */
function following(growth: number, answers: number) {
  let total = 1000;
  const asked: number[] = [];
  const fetch = async (start: number, count: number): Promise<Fetched<TableRow>> => {
    asked.push(start);
    if (asked.length < answers) total += growth;
    await Promise.resolve();
    const rows = Array.from({ length: Math.min(count, total - start) }, (_, index) => ({ id: start + index }) as TableRow);
    return { total, start, rows };
  };
  const failed = (error: unknown): void => expect.fail(String(error));
  const rows = new Rows({ fetch, failed, following: true });
  rows.resize(10 * ROW_HEIGHT);
  return { rows, asked, tell: () => rows.setTotal(total) };
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

test('a table that follows a list shows the new rows of each answer', async () => {
  const { rows, tell } = following(150, 20);
  tell();
  await settled();
  expect(rows.total).toBe(1000 + 19 * 150);
  expect(rows.shown).toMatchObject({ first: rows.total - 10 });
});

test('a table that follows a list which is read waits for the next event instead of asking again with each answer', async () => {
  const { rows, asked, tell } = following(5000, 20);
  tell();
  await settled();
  expect(asked).toEqual([900]);
  expect(rows.shown).toMatchObject({ first: 990 });
  tell();
  await settled();
  expect(asked).toEqual([900, 5900]);
  expect(rows.shown).toMatchObject({ first: 5990 });
  expect(rows.pending).toBe(false);
});
