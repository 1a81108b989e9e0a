import { visibleText } from '../../../../engine/api/printable.ts';
import type { Action } from '../../lib/actions.ts';
import type { App } from '../app.svelte.ts';
import { questionActions } from '../graph-actions.ts';
import { isWrittenNumber } from '../../lib/sources/schema-facts.ts';
import { fieldVariable, is, isHeader, type ValueType } from '../../../../engine/api/filter/expression.ts';

/** A value of a record that someone clicked. */
export interface ClickedValue {
  /** `Type`, `Fields[status]`; null: no expression can name it. */
  readonly variable: string | null;
  /** The name for the user: `status`. */
  readonly name: string;
  readonly type: ValueType;
  readonly value: string;
  /** The field that can become a column; null: it is none. */
  readonly column: string | null;
}

const NOT_WRITABLE = 'A matcher expression cannot contain this value';
const LABEL_MOST = 40;

/** Filter for it, filter it out, add or remove the column, copy. */
export function valueActions(app: App, clicked: ClickedValue): Action[] {
  const short = shorten(clicked.value);
  const only = clicked.variable === null ? null : is(clicked.variable, clicked.type, clicked.value);
  const label = `${clicked.name} = ${short}`;
  return [
    filterAction(app, `Filter for ${label}`, label, only),
    filterAction(app, `Filter out ${label}`, label, only, true),
    compareAction(app, clicked, label, only),
    ...questions(app, clicked),
    ...(clicked.column === null ? [] : [columnAction(app, clicked.column)]),
    { label: 'Copy value', separate: true, run: () => void app.copy(clicked.value, 'Value') },
  ];
}

function filterAction(app: App, label: string, chip: string, expression: string | null, out = false): Action {
  if (expression === null) return { label, disabled: NOT_WRITABLE, run: () => undefined };
  return { label, run: () => app.filterBy(chip, expression, out) };
}

function compareAction(app: App, { name, column }: ClickedValue, label: string, expression: string | null): Action {
  const action = `Compare ${label} with the rest`;
  if (expression === null) return { label: action, disabled: NOT_WRITABLE, run: () => undefined };
  return { label: action, run: () => app.comparing.compareValue(label, expression, [column ?? name]) };
}

function questions(app: App, { variable, name, column, type, value }: ClickedValue): Action[] {
  const asked = column === null || (variable !== null && isHeader(variable)) ? variable : fieldVariable(column);
  if (asked === null) return [];
  const label = column ?? name.replace(/ .*/, '');
  const isNumber = type === 'number' || isWrittenNumber(value);
  return [
    ...questionActions(app, label, { variable: asked, isNumber }),
    ...(isHeader(asked) || !isWords(type, value) ? [] : [{ label: `Patterns of ${label}`, run: () => app.showPatterns(asked) }]),
  ];
}

/** Whether a value is a text that may differ from others in its numbers alone. */
const isWords = (type: ValueType, value: string): boolean => type === 'string' && !isWrittenNumber(value);

function columnAction(app: App, name: string): Action {
  const shown = app.showsColumn(name);
  return shown
    ? { label: `Remove column ${name}`, run: () => app.removeColumn(name) }
    : { label: `Add column ${name}`, run: () => app.addColumn(name) };
}

/** For menus and chips: one line, not too long. */
export function shorten(value: string): string {
  const line = visibleText(value.replace(/\s+/g, ' ').trim());
  return line.length > LABEL_MOST ? `${line.slice(0, LABEL_MOST)}…` : line === '' ? '(empty)' : line;
}
