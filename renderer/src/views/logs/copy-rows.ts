import { plural } from '../../lib/format.ts';
import { rowLine } from './row-text.ts';
import type { App } from '../../state/app.svelte.ts';
import { columnsOf } from '../../lib/table-layout.ts';

const MOST_ROWS = 50_000;
const MOST_CHARACTERS = 9_000_000;

/** Copies the selected records as lines of tab-separated cells, as the table shows them. The user is told of rows that do not fit. */
export async function copyRows(app: App): Promise<void> {
  const { first, last } = app.logs.selection;
  if (first === null || last === null) return;
  const columns = columnsOf(app.columns.layout, app.tableFacts);
  const lines: string[] = [];
  let characters = 0;
  try {
    for await (const rows of app.logs.read(first, Math.min(last + 1, first + MOST_ROWS))) {
      for (const row of rows) {
        const line = rowLine(row, columns, app.prefs.zone, (id) => app.engine.source(id));
        characters += line.length + 1;
        if (characters > MOST_CHARACTERS) break;
        lines.push(line);
      }
      if (characters > MOST_CHARACTERS) break;
    }
  } catch (error) {
    app.fail(error);
    return;
  }
  const wanted = last - first + 1;
  const what =
    lines.length < wanted ? `The first ${plural(lines.length, 'record')} of ${plural(wanted, 'record')}` : plural(wanted, 'record');
  await app.copy(lines.join('\n'), what);
}
