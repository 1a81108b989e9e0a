import { headerNamed } from '../api/headers.ts';
import { isLaterField } from '../api/rule-fields.ts';
import { RAW_FIELD } from '../message/batch/columns.ts';
import type { WantedColumns } from '../message/batch/wire.ts';
import { fieldName, isStatusName } from './values.ts';

/** The timestamps alone, which come with any columns. */
export const TIMES: WantedColumns = { header: () => false, field: () => false };

/** The columns that levels, errors and warnings are read from. */
export const LEVELS: WantedColumns = { header: (member) => member === 'severity', field: isStatusName };

/** The columns that any text of a record may be in. */
export const TEXTS: WantedColumns = {
  header: (member) => member === 'payload',
  field: (name) => name !== RAW_FIELD && !isLaterField(name),
};

/** The columns of headers (`Hostname`) and fields; null: all, because one of them is in no column. */
export function columnsNamed(headers: readonly string[], fields: readonly string[]): WantedColumns | null {
  const known = headers.flatMap((name) => headerNamed(name) ?? []);
  if (known.some(({ kind }) => kind === 'uuid')) return null;
  const [members, names] = [new Set<string>(known.map(({ member }) => member)), new Set(fields)];
  return { header: (member) => members.has(member), field: (name) => names.has(name) };
}

/** The columns of variables (`Hostname`, `Fields[status]`, `status`), each of which may be a header or a field. */
export const columnsOf = (variables: readonly string[]): WantedColumns | null => columnsNamed(variables, variables.map(fieldName));

/** All columns that are among any of these; null: all. */
export function allOf(choices: readonly (WantedColumns | null)[]): WantedColumns | null {
  const known = choices.filter((choice) => choice !== null);
  if (known.length < choices.length) return null;
  return {
    header: (member) => known.some(({ header }) => header(member)),
    field: (name) => known.some(({ field }) => field(name)),
  };
}
