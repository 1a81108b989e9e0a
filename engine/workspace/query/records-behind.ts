import type { QueryColumn, QueryTable, RecordKey, RecordsBehind, RecordTerm, RecordVariable } from '../../api/query-types.ts';
import type { ResultColumn } from '../../ask/protocol.ts';
import type { ColumnOrigin, Selection, Term } from '../../ask/selection.ts';
import { ALL, TABLE_COLUMN, type TableColumn } from '../../ask/tables.ts';
import type { FieldType } from '../../ask/field-shapes.ts';

const TYPES: Readonly<Record<FieldType, RecordVariable['type'] | null>> = {
  text: 'string',
  bytes: null,
  integer: 'number',
  double: 'number',
  bool: 'bool',
};

/** The variable that a column holds; null: no matcher could test it. */
export function variableOf({ name, type, field: column }: TableColumn): RecordVariable | null {
  if (column === null)
    return name === TABLE_COLUMN || type.startsWith('MAP') ? null : { name, type: type === 'VARCHAR' ? 'string' : 'number' };
  const { field, part } = column;
  const valueType = field.isMixed ? 'mixed' : TYPES[field.type];
  // No matcher converts units.
  const isAsStored = part === 'first' && field.unit === null && !field.namesUnits;
  return !isAsStored || valueType === null || /[\]\n]/.test(field.name) || field.name === ''
    ? null
    : { name: `Fields[${field.name}]`, type: valueType };
}

/** The records behind the rows of a query, as conditions of a filter; null: no filter can say them. */
export function recordsBehind(
  selection: Selection | null,
  result: readonly ResultColumn[],
  tables: readonly QueryTable[],
): RecordsBehind | null {
  const named = tables.find(({ name }) => name.toLowerCase() === selection?.table.toLowerCase());
  if (selection === null || named === undefined) return null;
  const columns = new Map(named.columns.map((column) => [column.name.toLowerCase(), column]));
  const where = selection.where === null ? { term: null, whole: true } : termOf(selection.where, columns);
  const origins = expanded(selection.columns, result);
  return {
    sources: named.sources,
    keys: origins.map((origin) => (origin === null ? null : keyOf(origin, columns.get(origin.column.toLowerCase()), named.name))),
    where: where.term,
    whole: selection.whole && where.whole,
  };
}

/** An origin for each column of the result, with the columns that `*` stands for. */
function expanded(origins: Selection['columns'], result: readonly ResultColumn[]): (ColumnOrigin | null)[] {
  const stars = origins.filter((origin) => origin === '*').length;
  if (stars > 1) return result.map(() => null);
  const ofStar = result.length - (origins.length - stars);
  let at = 0;
  return origins.flatMap((origin): (ColumnOrigin | null)[] => {
    const start = at;
    at += origin === '*' ? ofStar : 1;
    return origin === '*' ? result.slice(start, at).map(({ name }) => ({ column: name, unit: null })) : [origin];
  });
}

function keyOf({ unit }: ColumnOrigin, column: QueryColumn | undefined, table: string): RecordKey | null {
  if (column === undefined) return null;
  if (column.name === 'Timestamp') return { kind: 'time', unit };
  if (unit !== null) return null;
  if (column.name === TABLE_COLUMN && table === ALL) return { kind: 'table' };
  return column.variable === null ? null : { kind: 'value', variable: column.variable };
}

interface Read {
  readonly term: RecordTerm | null;
  readonly whole: boolean;
}

const UNKNOWN: Read = { term: null, whole: false };

function termOf(term: Term, columns: ReadonlyMap<string, QueryColumn>): Read {
  if ('terms' in term) {
    const parts = term.terms.map((part) => termOf(part, columns));
    const whole = parts.every((part) => part.whole);
    if (term.op === 'or' && !whole) return UNKNOWN;
    const terms = parts.flatMap((part) => (part.term === null ? [] : [part.term]));
    return { term: terms.length === 0 ? null : { op: term.op, terms }, whole };
  }
  const column = columns.get(term.column.toLowerCase());
  const variable = column?.variable ?? null;
  // Times are compared in another form than SQL has them in.
  if (variable === null || column?.name === 'Timestamp') return UNKNOWN;
  if ('value' in term) {
    // The order of texts is not that of numbers.
    const isMixed = variable.type === 'mixed' && typeof term.value === 'string' && term.op === '==';
    const fits = isMixed || variable.type === (typeof term.value === 'boolean' ? 'bool' : typeof term.value);
    return fits ? { term: { op: term.op, variable, value: term.value }, whole: true } : UNKNOWN;
  }
  return { term: { op: term.op, variable }, whole: true };
}
