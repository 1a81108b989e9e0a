import type { Action } from '../../lib/actions.ts';
import type { App } from '../../state/app.svelte.ts';
import { exists, fieldVariable, is } from '../../../../engine/api/filter/expression.ts';
import { isNumeric } from '../../lib/sources/schema-facts.ts';
import { graphAction } from '../../state/graph-actions.ts';
import type { SchemaRow } from './schema-rows.ts';

/** The actions on a line of the schema: filters, a column. */
export function schemaActions(app: App, row: SchemaRow): Action[] {
  if (row.kind === 'field') return fieldActions(app, row);
  if (row.kind === 'version') return versionActions(app, row);
  const variable = row.kind === 'logger' ? 'Logger' : 'Type';
  const expression = is(variable, 'string', row.name);
  return [
    { label: `Only ${variable} = ${row.label}`, run: () => expression !== null && app.filterBy(`${variable} = ${row.label}`, expression) },
  ];
}

function versionActions(app: App, row: SchemaRow): Action[] {
  const expression = is('EnvVersion', 'string', row.name);
  return [{ label: `Only ${row.label}`, run: () => expression !== null && app.filterBy(row.label, expression) }];
}

function fieldActions(app: App, { name, field }: SchemaRow): Action[] {
  const variable = fieldVariable(name);
  const shown = app.showsColumn(name);
  const disabled = variable === null ? 'A matcher expression cannot say this name' : undefined;
  return [
    { label: 'Count by this', disabled, run: () => variable !== null && app.countBy(variable, name) },
    { label: 'Timeline by this', disabled, run: () => variable !== null && app.showOperations(variable) },
    ...graphAction(app, { name, variable, isNumber: field !== null && isNumeric(field), term: null }),
    shown
      ? { label: 'Remove the column', run: () => app.removeColumn(name) }
      : {
          label: 'Add as a column',
          run: () => {
            app.addColumn(name);
            app.show('logs');
          },
        },
    {
      label: 'Only records with it',
      disabled,
      separate: true,
      run: () => variable !== null && app.filterBy(`has ${name}`, exists(variable)),
    },
    {
      label: 'Only records without it',
      disabled,
      run: () => variable !== null && app.filterBy(`without ${name}`, `${variable} == NIL`),
    },
    { label: 'Copy name', separate: true, run: () => void app.copy(name, 'Name') },
  ];
}
