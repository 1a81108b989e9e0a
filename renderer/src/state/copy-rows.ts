import { plural } from '../lib/format.ts';
import { columnsOf } from '../lib/table/table-layout.ts';
import type { App } from './app.svelte.ts';
import { headLine, rowLine } from './row-text.ts';

const MOST_ROWS = 50_000;
const MOST_CHARACTERS = 9_000_000;

/** The forms in which records are copied: cells as the table shows them, separated by tabs, also below the titles of their columns; as they were read; JSON lines. */
export type CopyForm = 'cells' | 'headings' | 'raw' | 'json';

/** Copies the selected records. The user is told of those that do not fit. */
export async function copyRows(app: App, form: CopyForm = 'cells'): Promise<void> {
  const { first, last } = app.logs.selection;
  if (first === null || last === null) return;
  const wanted = last - first + 1;
  try {
    const isTable = form === 'cells' || form === 'headings';
    const { text, count } = isTable
      ? await cells(app, { first, last, withHead: form === 'headings' })
      : await app.logs.text(first, Math.min(wanted, MOST_ROWS), form);
    const what = count < wanted ? `The first ${plural(count, 'record')} of ${plural(wanted, 'record')}` : plural(wanted, 'record');
    // Blanks and empty cells at the end of the last record are a part of it.
    await app.copy(text.replace(/\n$/, ''), what);
  } catch (error) {
    app.fail(error);
  }
}

interface Range {
  readonly first: number;
  readonly last: number;
  readonly withHead: boolean;
}

/** The records as lines of cells, as far as they fit. */
async function cells(app: App, { first, last, withHead }: Range): Promise<{ readonly text: string; readonly count: number }> {
  const columns = columnsOf(app.columns.layout, app.tableFacts);
  const head = withHead ? [headLine(columns)] : [];
  const lines: string[] = [];
  let characters = 0;
  for await (const rows of app.logs.read(first, Math.min(last + 1, first + MOST_ROWS))) {
    for (const row of rows) {
      const line = rowLine(row, columns, app.prefs.zone, (id) => app.engine.source(id));
      characters += line.length + 1;
      if (characters > MOST_CHARACTERS) return { text: [...head, ...lines].join('\n'), count: lines.length };
      lines.push(line);
    }
  }
  return { text: [...head, ...lines].join('\n'), count: lines.length };
}
