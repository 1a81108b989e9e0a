import type { Action } from '../../lib/actions.ts';
import type { App } from '../../state/app.svelte.ts';
import { exists, fieldVariable, is } from '../../lib/expression.ts';
import { isNumeric } from '../../lib/schema-facts.ts';
import { graphAction } from '../../state/graph-actions.ts';
import type { SchemaRow } from './schema-rows.ts';

/** The actions on a line of the schema: filters, a column. */
export function schemaActions(app: App, row: SchemaRow): Action[] {
  if (row.kind === 'field') return fieldActions(app, row);
  if (row.kind === 'version') return versionActions(app, row);
  const variable = row.kind === 'logger' ? 'Logger' : 'Type';
  const value = nameOf(row);
  const expression = is(variable, 'string', value);
  return [
    { label: `Only ${variable} = ${row.label}`, run: () => expression !== null && app.filterBy(`${variable} = ${row.label}`, expression) },
  ];
}

/** The name behind a label such as `(no type)`. */
function nameOf(row: SchemaRow): string {
  return row.key.slice(
    row.key.lastIndexOf(row.kind === 'logger' ? 'l:' : row.kind === 'type' ? '/t:' : '/v:') + (row.kind === 'logger' ? 2 : 3),
  );
}

function versionActions(app: App, row: SchemaRow): Action[] {
  const expression = is('EnvVersion', 'string', nameOf(row));
  return [{ label: `Only ${row.label}`, run: () => expression !== null && app.filterBy(row.label, expression) }];
}

function fieldActions(app: App, { label: name, field }: SchemaRow): Action[] {
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
