import { expect, test } from 'vitest';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { Detail } from '../../../../renderer/src/state/detail.svelte.ts';
import { Scan } from '../../../../renderer/src/state/filter/scan.svelte.ts';
import type { TableRow } from '../../../../renderer/src/state/rows.svelte.ts';
import { Side } from '../../../../renderer/src/state/side.svelte.ts';

/** A place in a hundred records, 240 pixels high, that is not at the end. */
function sideOf(): Side {
  const client = { request: () => Promise.resolve({}), on: () => () => undefined } as unknown as Client;
  const rowOf = (id: number): TableRow => ({ id, time: id }) as TableRow;
  const side = new Side({
    client,
    view: () => 1,
    fetch: (start, count) => Promise.resolve({ total: 100, start, rows: Array.from({ length: count }, (_, i) => rowOf(start + i)) }),
    detail: new Detail(client),
    scan: new Scan(),
    following: false,
    prefix: '',
    leads: () => false,
    failed: (error) => expect.fail(String(error)),
  });
  side.rows.setTotal(100);
  side.resize(240);
  return side;
}

test('a chosen row in sight stays in sight when the table gets less high; one that is elsewhere does not move it', async () => {
  const side = sideOf();
  await expect.poll(() => side.rows.shown.rows.length).toBeGreaterThan(9);
  expect(side.time).toBe(0);
  side.selection.set(8, false);
  side.rest();
  expect([side.time, side.chosen?.id]).toEqual([8, 8]);
  side.resize(120);
  expect(side.rows.top).toBe(96);
  side.selection.set(50, false);
  side.resize(48);
  expect(side.rows.top).toBe(96);
});
