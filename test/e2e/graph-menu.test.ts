import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatRecordGraphs } from '../../engine/workspace/marks/record-graphs.ts';
import { startApp } from './support/app.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-graph-menu-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (second: number, text: string): string => `2026-11-20 10:00:0${second} INFO ${text}\n`;

test('the menu of a graph without records stays open when the first one comes', async () => {
  const log = join(folder, 'a.log');
  writeFileSync(log, line(1, 'one') + line(2, 'two'));
  const filter = { kind: 'text', text: 'wanted', label: 'wanted', caseSensitive: false, out: false, enabled: true } as const;
  const graph = {
    id: 1,
    title: 'Wanted',
    measure: 'count',
    of: null,
    by: [],
    display: 'bars',
    unit: '',
    any: false,
    filters: [filter],
  } as const;
  writeFileSync(join(folder, 'graphs.json'), formatRecordGraphs([graph]));
  await using app = await startApp([log], folder);
  const { page } = app;
  await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === 2));
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Charts' }).click();
  const card = page.getByRole('region', { name: 'Wanted', exact: true });
  await card.getByText('No record is in it now.').waitFor();
  await card.getByRole('button', { name: 'Actions for Wanted' }).click();
  await page.getByRole('menuitem', { name: 'Remove the graph' }).waitFor();
  await expect
    .poll(() => page.getByRole('menuitem').allInnerTexts())
    .toEqual(['Show its records', 'Change the question…', 'Remove the graph']);

  appendFileSync(log, line(3, 'wanted'));
  // The graph is there, and its menu has more to offer.
  await page.getByRole('menuitem', { name: 'Save as CSV…' }).waitFor();
  await card.locator('canvas').waitFor({ state: 'attached' });
  await page.getByRole('menuitem', { name: 'Remove the graph' }).click();
  await card.waitFor({ state: 'detached' });
});
