import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../until.ts';
import { SAMPLE } from './app.ts';

/** The table of the records. */
export const recordGrid = (page: Page): Locator => page.getByRole('grid', { name: 'Records' });

/** The box of the filter. */
export const filterBox = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter by text or field' });

/** Records in the table as it is now: while a filter looks at them, those that it has found. */
export async function rowTotal(page: Page): Promise<number> {
  return Number(await recordGrid(page).getAttribute('aria-rowcount')) - 1;
}

/** Waits until the table has so many records. */
export async function totalBecomes(page: Page, total: number): Promise<void> {
  let seen = -1;
  await until(
    async () => (seen = await rowTotal(page)) === total,
    () => `${total} rows, not ${seen}`,
  );
}

/** Row of the cursor; -1: there is none. */
export async function cursorRow(page: Page): Promise<number> {
  const id = await recordGrid(page).getAttribute('aria-activedescendant');
  return id === null ? -1 : Number(id.replace('row-', ''));
}

/** Takes away all filters, those of the stack and what stands in the box, and waits until all records are there. */
export async function clearFilters(page: Page, total: number): Promise<void> {
  const clear = page.getByRole('button', { name: 'Clear all' });
  await until(
    async () => {
      if (await clear.isVisible()) await clear.click();
      if ((await filterBox(page).inputValue()) !== '') await filterBox(page).fill('');
      return (await rowTotal(page)) === total && !(await clear.isVisible());
    },
    () => `${total} records without a filter`,
  );
}

/** Number of records in the status beside the filter, once it has looked at all of them. */
export async function shownRecords(page: Page): Promise<number> {
  const status = page.getByRole('status', { name: 'Records that are shown' });
  const text = await until(
    async () => /^([\d,]+) of [\d,]+$/.exec(await status.innerText())?.[1],
    'a filter that has looked at all records',
  );
  return Number(text.replaceAll(',', ''));
}

/** Lines of the sample access log, each of which is a record. */
export const ACCESS_LINES = readFileSync(SAMPLE('access.log'), 'utf8').trimEnd().split('\n');

/** Rows of the records of the sample access log that have a text, in the list of all of them. */
export const accessRowsWith = (text: string): number[] =>
  ACCESS_LINES.flatMap((line, row) => (line.toLowerCase().includes(text.toLowerCase()) ? [row] : []));
