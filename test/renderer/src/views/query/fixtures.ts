import type { QueryCell, QueryRows } from '../../../../../engine/api/types.ts';

export const rowsOf = (
  types: Readonly<Record<string, string>>,
  rows: readonly (readonly QueryCell[])[],
): Pick<QueryRows, 'columns' | 'rows'> => ({
  columns: Object.entries(types).map(([name, type]) => ({ name, type })),
  rows,
});
