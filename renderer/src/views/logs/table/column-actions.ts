import type { Action } from '../../../lib/actions.ts';
import { fieldVariable, headerType, isHeader } from '../../../../../engine/api/filter/expression.ts';
import { fieldsOf, isNumeric } from '../../../lib/sources/schema-facts.ts';
import { dropField, moveColumn, resetWidth, toggleBase, UNSORTED, type Column } from '../../../lib/table/table-layout.ts';
import type { App } from '../../../state/app.svelte.ts';
import { questionActions } from '../../../state/graph-actions.ts';

/** The actions on a column of the record table. @param fit gives it the width of what it shows */
export function columnActions(app: App, shown: readonly Column[], column: Column, fit: () => void): Action[] {
  const { columns, logs } = app;
  const at = shown.findIndex(({ key }) => key === column.key);
  const move = (place: number): void => columns.set(moveColumn(columns.layout, shown, column.key, place));
  const sortBy = (down: boolean): Action => ({
    label: down ? 'Sort from the highest' : 'Sort from the lowest',
    disabled: logs.sort.directionOf(column.key) === (down ? 'descending' : 'ascending') ? 'It is' : undefined,
    run: () => logs.sort.set({ by: column.key, down }),
  });
  return [
    ...(UNSORTED.includes(column.base) ? [] : [sortBy(false), sortBy(true)]),
    ...(logs.sort.column === null ? [] : [{ label: 'Usual order', run: (): void => logs.sort.set(null) }]),
    { label: 'Move to the left', separate: true, disabled: at === 0 ? 'It is the first' : undefined, run: () => move(at - 1) },
    { label: 'Move to the right', disabled: at === shown.length - 1 ? 'It is the last' : undefined, run: () => move(at + 2) },
    { label: 'Fit to what it shows', separate: true, run: fit },
    { label: 'Usual width', run: () => columns.set(resetWidth(columns.layout, column, columns.lengths)) },
    ...questions(app, column),
    ...hideAction(app, column),
    ...(columns.chosen ? [{ label: 'The usual columns', run: (): void => columns.reset() }] : []),
  ];
}

function questions(app: App, { base, title, key }: Column): Action[] {
  const variable =
    base === null ? (isHeader(key) ? key : fieldVariable(title)) : base === 'type' ? 'Type' : base === 'severity' ? 'Severity' : null;
  const field = fieldsOf(app.outputs.schema.value ?? []).get(title);
  const isNumber = variable !== null && isHeader(variable) ? headerType(variable) === 'number' : field !== undefined && isNumeric(field);
  return variable === null ? [] : questionActions(app, title, { variable, isNumber });
}

function hideAction({ columns }: App, { base, title }: Column): Action[] {
  if (base === null) return [{ label: `Remove column ${title}`, separate: true, run: () => columns.set(dropField(columns.layout, title)) }];
  // The text can only be folded away: it is what every record has.
  const can = base !== 'text' || columns.layout.kept?.includes(base) === true;
  return can ? [{ label: `Hide ${title}`, separate: true, run: () => columns.set(toggleBase(columns.layout, base)) }] : [];
}
