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

/** The actions on a cell of the table, and on its row. */
export function cellActions(app: App, row: TableRow, column: Column | null): Action[] {
  const clicked = column === null ? null : clickedValue(app, row, column);
  const ofCell = clicked === null ? (column?.base === 'source' ? sourceActions(app, row) : []) : valueActions(app, clicked);
  const { count } = app.logs.selection;
  const what = count > 1 ? `${count} records` : 'record';
  return [
    ...ofCell,
    { label: `Copy ${what}`, separate: ofCell.length > 0, run: () => void copyRows(app) },
    { label: `Copy ${what} with headings`, run: () => void copyRows(app, 'headings') },
    { label: `Copy ${what} as read`, run: () => void copyRows(app, 'raw') },
    { label: `Copy ${what} as JSON`, run: () => void copyRows(app, 'json') },
    { label: app.marks.byRecord.has(row.id) ? 'Take the mark away' : 'Mark', run: () => void app.marks.toggle(row.id) },
    ...(clicked === null || clicked.column === null ? [] : [highlightAction(app, clicked.column, clicked.value)]),
    ...(app.logs.filtered ? [{ label: 'Show in context', run: (): void => app.logs.showInContext() }] : []),
    { label: 'Show around this time in Charts', run: () => showInGraphs(app, row.time) },
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
