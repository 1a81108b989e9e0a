import type { Action } from '../../lib/actions.ts';
import type { App } from '../../state/app.svelte.ts';
import { exists, fieldVariable, is, lacks } from '../../../../engine/api/filter/expression.ts';
import { isNumeric } from '../../lib/sources/schema-facts.ts';
import { questionActions } from '../../state/graph-actions.ts';
import type { SchemaRow } from './schema-rows.ts';

/** The actions on a line of the schema: filters, a column. */
export function schemaActions(app: App, row: SchemaRow): Action[] {
  if (row.kind === 'field') {
    const { name, field } = row;
    return fieldActions(app, { name, variable: fieldVariable(name), isHeader: false, isNumber: field !== null && isNumeric(field) });
  }
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

/** A field, or a header of the messages. */
interface Subject {
  readonly name: string;
  /** null: no expression can name it. */
  readonly variable: string | null;
  readonly isHeader: boolean;
  readonly isNumber: boolean;
}

/** The actions on a field: counts, graphs, a column, filters. */
export function fieldActions(app: App, { name, variable, isHeader, isNumber }: Subject): Action[] {
  const disabled = variable === null ? 'A matcher expression cannot say this name' : undefined;
  const without = variable === null ? null : lacks(variable);
  return [
    ...questionActions(app, name, { variable, isNumber }),
    ...(isHeader || isNumber ? [] : [{ label: 'Patterns of this', disabled, run: () => variable !== null && app.showPatterns(variable) }]),
    ...(isHeader ? [] : [columnAction(app, name)]),
    ...(isHeader
      ? []
      : [
          {
            label: 'Only records with it',
            disabled,
            separate: true,
            run: () => variable !== null && app.filterBy(`has ${name}`, exists(variable)),
          },
        ]),
    ...(without === null ? [] : [{ label: 'Only records without it', run: () => app.filterBy(`without ${name}`, without) }]),
    { label: 'Copy name', separate: true, run: () => void app.copy(name, 'Name') },
  ];
}

function columnAction(app: App, name: string): Action {
  if (app.showsColumn(name)) return { label: 'Remove the column', run: () => app.removeColumn(name) };
  return {
    label: 'Add as a column',
    run: () => {
      app.addColumn(name);
      app.show('logs');
    },
  };
}
