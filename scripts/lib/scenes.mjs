/** @typedef {import('playwright-core').Page} Page */
/**
 * @typedef {object} Scene one picture of the documentation
 * @property {string} name of the picture in docs/images
 * @property {readonly string[]} logs samples that are open
 * @property {{ width: number, height: number }} size
 * @property {(page: Page) => Promise<void>} play what is done before it is taken
 */

const SIZE = { width: 1440, height: 860 };
const SMALL = { width: 1440, height: 620 };

/** @type {readonly Scene[]} */
export const SCENES = [
  {
    name: 'window',
    logs: ['access.log'],
    size: SIZE,
    play: searchBurst,
  },
  { name: 'graphs', logs: ['access.log'], size: { ...SIZE, height: 660 }, play: drawGraphs },
  { name: 'overview', logs: ['access.log'], size: { ...SIZE, height: 760 }, play: overview },
  { name: 'patterns', logs: ['access.log'], size: SMALL, play: (page) => patternsOf(page, 'request') },
  { name: 'guide-503', logs: ['access.log'], size: SMALL, play: (page) => match(page, 'status:503') },
  { name: 'guide-login', logs: ['auth.log'], size: SMALL, play: (page) => match(page, 'remote_addr:203.0.113.66', 'End') },
  {
    name: 'guide-slow',
    logs: ['slow-query.log'],
    size: SMALL,
    play: (page) =>
      query(
        page,
        `SELECT regexp_replace("Payload", '''.*''', '?') AS statement, count(*) AS times,
       round(avg("Query_time"), 2) AS seconds, max("Rows_examined") AS most_rows
FROM slow_query GROUP BY 1 ORDER BY times * seconds DESC`,
      ),
  },
  { name: 'guide-silent', logs: ['services.log'], size: { ...SMALL, height: 400 }, play: (page) => timeline(page, 'programname') },
  {
    name: 'guide-request',
    logs: ['gateway.log', 'orders.log'],
    size: SMALL,
    play: (page) => match(page, 'request_id:7f3a9c21'),
  },
];

/** Searches the records, and marks the first failure of a burst. @param {Page} page */
async function searchBurst(page) {
  await page.getByRole('slider', { name: /^Time\./ }).click({ position: { x: 502, y: 30 } });
  await page.locator('[data-row]').filter({ hasText: /^15:1/ }).first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('reviews');
  await page.getByRole('status', { name: 'Hits' }).waitFor();
  await page.getByRole('grid', { name: 'Records' }).focus();
  await page.keyboard.press('e');
  await page.locator('[data-row][aria-selected="true"] .tone-5xx').waitFor();
  await page.keyboard.press('m');
  const note = page.getByRole('textbox', { name: 'Note' });
  await note.fill('The shop begins to fail');
  await note.press('Enter');
}

/** Makes a graph of the failures beside the one that the log has anyway. @param {Page} page */
async function drawGraphs(page) {
  await match(page, 'status >= 500');
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Command' }).fill('graph of the shown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New graph' });
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Failures');
  await dialog.getByRole('button', { name: 'Add the graph' }).click();
  await page.locator('canvas').nth(1).waitFor();
}

/** @param {Page} page @param {string} view */
async function open(page, view) {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view, exact: true }).click();
}

/**
 * Filters the records by a matcher, and selects the first one, or the last one.
 * @param {Page} page
 * @param {string} matcher
 * @param {string} [key]
 */
async function match(page, matcher, key = 'Home') {
  const input = page.getByRole('combobox', { name: /^(Matcher expression|Filter by text or field)$/ });
  await input.fill(matcher);
  await input.press('Enter');
  await page.getByRole('status', { name: 'Records that are shown' }).waitFor();
  await page.getByRole('grid', { name: 'Records' }).focus();
  await page.keyboard.press(key);
}

/** Shows the operations by a field. @param {Page} page @param {string} field */
async function timeline(page, field) {
  await page.keyboard.press('Control+9');
  await page.getByRole('combobox', { name: 'Operations by' }).selectOption({ label: field });
  await page.getByRole('columnheader', { name: field }).waitFor();
}

/** Shows the fields, as soon as they are counted. @param {Page} page */
async function overview(page) {
  await open(page, 'Overview');
  await page.getByText('counted exactly').first().waitFor();
}

/** Shows the patterns of a field. @param {Page} page @param {string} field */
async function patternsOf(page, field) {
  await overview(page);
  await page.keyboard.press('Control+8');
  await page.getByRole('combobox', { name: 'Patterns of' }).selectOption({ label: field });
  await page.getByText(`without ${field}`).waitFor();
  await page.getByRole('progressbar', { name: 'Finding patterns' }).waitFor({ state: 'detached' });
}

/** @param {Page} page @param {string} sql */
async function query(page, sql) {
  await open(page, 'Query');
  await page.getByRole('textbox', { name: 'SQL' }).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(sql);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('grid', { name: 'Result' }).waitFor();
}
