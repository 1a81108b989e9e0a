/** Headers that can be columns of the record table by their names, beside fields. */
const HEADER_COLUMNS: ReadonlySet<string> = new Set(['Hostname', 'Logger']);

/** Whether a column shows a header of the messages, not a field. */
export const isHeaderColumn = (name: string): boolean => HEADER_COLUMNS.has(name);

/** The variable of a column of the record table. */
export const columnVariable = (name: string): string => (isHeaderColumn(name) ? name : `Fields[${name}]`);
