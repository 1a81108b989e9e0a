import { commandOf, type CommandId } from '../../../../../engine/api/commands.ts';
import type { FilterTerm } from '../../../lib/filter/filter.ts';
import { similarSource } from '../../../lib/filter/similar.ts';
import { copyRows } from '../../../state/copy-rows.ts';
import { severityOf } from '../../../lib/severity.ts';
import type { Action } from '../../../lib/actions.ts';
import { fieldVariable, isHeader } from '../../../../../engine/api/filter/expression.ts';
import { fieldsOf, valueTypeOf } from '../../../lib/sources/schema-facts.ts';
import type { App } from '../../../state/app.svelte.ts';
import { columnValue, type TableRow } from '../../../state/rows.svelte.ts';
import type { Column } from '../../../lib/table/table-layout.ts';
import { newHighlighter } from '../../../lib/filter/highlighter.ts';
import { shorten, valueActions, type ClickedValue } from '../../../state/filter/value-actions.ts';

/** Rules of a record that its menu names. */
const MOST_RULES = 3;

/** The actions on a cell of the table, and on its row. */
export function cellActions(app: App, row: TableRow, column: Column | null): Action[] {
  const clicked = column === null ? null : clickedValue(app, row, column);
  const ofCell = clicked === null ? baseActions(app, row, column) : valueActions(app, clicked);
  const { count } = app.logs.selection;
  const what = count > 1 ? `${count} records` : 'record';
  return [
    ...ofCell,
    { label: `Copy ${what}`, keys: 'Mod+C', separate: ofCell.length > 0, run: () => void copyRows(app) },
    { label: `Copy ${what} with headings`, keys: keyOf('logs.copy.headings'), run: () => void copyRows(app, 'headings') },
    { label: `Copy ${what} as read`, run: () => void copyRows(app, 'raw') },
    { label: `Copy ${what} as JSON`, run: () => void copyRows(app, 'json') },
    {
      label: app.marks.byRecord.has(row.id) ? 'Take the mark away' : 'Mark',
      keys: keyOf('logs.mark'),
      run: () => void app.marks.toggle(row.id),
    },
    ...(row.rules?.titles.slice(0, MOST_RULES) ?? []).map((title): Action => ({
      label: `Records of the rule ${shorten(title)}`,
      run: () => app.rules.showRecords(title),
    })),
    ...(clicked === null || clicked.column === null ? [] : [highlightAction(app, clicked.column, clicked.value)]),
    ...(app.logs.filtered ? [{ label: 'Show in context', keys: keyOf('logs.context'), run: (): void => app.logs.showInContext() }] : []),
    { label: 'Show around this time in Charts', run: () => showInGraphs(app, row.time) },
  ];
}

const keyOf = (id: CommandId): string | undefined => commandOf(id).keys[0];

/** The actions on what every record has. */
function baseActions(app: App, row: TableRow, column: Column | null): Action[] {
  if (column?.base === 'source') return sourceActions(app, row);
  if (column?.base !== 'text' && column?.base !== 'summary') return [];
  const text = column.base === 'summary' ? (row.summary ?? row.text) : row.text;
  const similar = similarSource(row.text);
  const term = (kind: FilterTerm['kind'], found: string, label: string): FilterTerm => ({
    kind,
    text: found,
    label,
    caseSensitive: false,
    out: false,
  });
  return [
    { label: 'Filter for this text', run: () => app.filterByTerm(term('text', row.text, shorten(row.text))) },
    ...(similar === null
      ? []
      : [{ label: 'Similar records', run: () => app.filterByTerm(term('regex', similar, `like ${shorten(row.text)}`)) }]),
    { label: 'Copy the text', run: () => void app.copy(text, 'Text') },
  ];
}

function highlightAction(app: App, field: string, value: string): Action {
  const rule = newHighlighter(app.highlighters.list, { kind: 'field', field, text: value });
  return { label: `Highlight ${field} = ${shorten(value)}…`, run: () => app.highlighters.edit(rule) };
}

function clickedValue(app: App, row: TableRow, column: Column): ClickedValue | null {
  if (column.base === 'type' && row.type !== '') return { variable: 'Type', name: 'Type', type: 'string', value: row.type, column: null };
  if (column.base === 'severity' && row.severity !== null) {
    return {
      variable: 'Severity',
      name: `Severity ${severityOf(row.severity).short}`,
      type: 'number',
      value: String(row.severity),
      column: null,
    };
  }
  if (column.base !== null) return null;
  const value = columnValue(row, column.title);
  if (value === null) return null;
  const field = fieldsOf(app.outputs.schema.value ?? []).get(column.title);
  const variable = isHeader(column.key) ? column.key : fieldVariable(column.title);
  return { variable, name: column.title, type: isHeader(column.key) ? 'string' : valueTypeOf(field, value), value, column: column.title };
}

function sourceActions(app: App, row: TableRow): Action[] {
  const label = app.engine.source(row.source)?.label ?? 'this source';
  const shown = app.logs.filter.sources.includes(row.source);
  return [{ label: shown ? 'Show all sources' : `Only ${label}`, run: () => app.logs.showSource(row.source) }];
}

const AROUND_MS = 15 * 60_000;

function showInGraphs(app: App, time: number): void {
  app.timeLink.zoom(time - AROUND_MS, time + AROUND_MS);
  app.show('charts');
}
