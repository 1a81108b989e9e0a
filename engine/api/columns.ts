import { ALL_HEADERS } from './headers.ts';

/** Headers that can be columns of the record table by their names, beside fields. */
export const HEADER_COLUMNS = ALL_HEADERS.flatMap(({ name, column }) => (column === true ? [name] : [])).toSorted();

/** Whether a column shows a header of the messages, not a field. */
export const isHeaderColumn = (name: string): boolean => (HEADER_COLUMNS as string[]).includes(name);

/** The variable of a column of the record table. */
export const columnVariable = (name: string): string => (isHeaderColumn(name) ? name : `Fields[${name}]`);
