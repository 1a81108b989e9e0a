/**
 * The records behind the rows of a query: from which table they are, by which columns they are grouped, and what WHERE asks of them. It is read from the
 * syntax tree that DuckDB writes as JSON.
 */

/** A value that a column is compared with. */
type TermValue = string | number | boolean;

/** A condition on records; columns are those of the table. */
export type Term =
  | { readonly op: 'and' | 'or'; readonly terms: readonly Term[] }
  | { readonly op: '==' | '!=' | '<' | '<=' | '>' | '>='; readonly column: string; readonly value: TermValue }
  | { readonly op: 'missing' | 'there'; readonly column: string };

/** Origin of the values of a column of the result. `unit`: the column holds times that are cut to this unit. */
export interface ColumnOrigin {
  readonly column: string;
  readonly unit: string | null;
}

/** The records of a query on one table. */
export interface Selection {
  readonly table: string;
  /** By columns of the result; null: computed from them. `*` stands for all columns of the table. */
  readonly columns: readonly (ColumnOrigin | '*' | null)[];
  readonly where: Term | null;
  /** false: the query restricts the records of a row further than is said here. */
  readonly whole: boolean;
}

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const treesOf = (value: unknown): readonly Tree[] => (Array.isArray(value) ? value.filter(isTree) : []);

/** null: the query is not a plain SELECT from one table. */
export function selectionOf(tree: unknown): Selection | null {
  const [statement] = isTree(tree) ? treesOf(tree['statements']) : [];
  const node = statement?.['node'];
  if (!isTree(node) || node['type'] !== 'SELECT_NODE') return null;
  const from = node['from_table'];
  const table = isTree(from) && from['type'] === 'BASE_TABLE' ? from['table_name'] : undefined;
  if (typeof table !== 'string' || hasWith(node)) return null;
  const list = treesOf(node['select_list']);
  const columns = list.map(originOf);
  const where = isTree(node['where_clause']) ? termOf(node['where_clause']) : { term: null, whole: true };
  const whole = where.whole && list.every((item, i) => columns[i] !== null || isAggregate(item)) && groupsAreShown(node, list);
  return { table, columns, where: where.term, whole };
}

/** Whether the query defines tables of its own, one of which may have the name of the table. */
function hasWith(node: Tree): boolean {
  const map = node['cte_map'];
  return isTree(map) && treesOf(map['map']).length > 0;
}

function originOf(item: Tree): ColumnOrigin | '*' | null {
  if (item['class'] === 'STAR') return isPlainStar(item) ? '*' : null;
  const column = columnOf(item);
  if (column !== null) return { column, unit: null };
  if (item['class'] !== 'FUNCTION' || !/^date_?trunc$/i.test(String(item['function_name']))) return null;
  const [unit, time] = treesOf(item['children']);
  const name = unit === undefined ? null : constantOf(unit);
  const cut = time === undefined ? null : columnOf(time);
  return typeof name === 'string' && cut !== null ? { column: cut, unit: name.toLowerCase() } : null;
}

const isPlainStar = (item: Tree): boolean =>
  ['exclude_list', 'replace_list', 'rename_list', 'qualified_exclude_list'].every((list) => treesOf(item[list]).length === 0) &&
  (item['exclude_list'] as readonly unknown[] | undefined)?.length === 0 &&
  item['columns'] !== true &&
  item['expr'] === null;

/** The name of a column without that of its table; null: it is no column. */
function columnOf(node: Tree): string | null {
  if (node['class'] !== 'COLUMN_REF' || !Array.isArray(node['column_names'])) return null;
  const name = (node['column_names'] as unknown[]).at(-1);
  return typeof name === 'string' ? name : null;
}

/** Aggregates, which say nothing about which records a row stands for. */
const AGGREGATES = new Set([
  ...['count', 'count_star', 'sum', 'avg', 'mean', 'min', 'max', 'median', 'mode', 'quantile', 'quantile_cont', 'quantile_disc', 'stddev'],
  ...['variance', 'any_value', 'first', 'last', 'list', 'array_agg', 'string_agg', 'group_concat', 'approx_count_distinct', 'arg_min'],
  ...['arg_max', 'approx_quantile', 'histogram', 'bool_and', 'bool_or', 'product', 'fsum', 'kurtosis', 'skewness', 'entropy', 'count_if'],
]);

/** Whether an expression is made of aggregates and constants alone. */
function isAggregate(node: Tree): boolean {
  if (node['class'] === 'FUNCTION' && AGGREGATES.has(String(node['function_name']).toLowerCase())) return node['filter'] === null;
  if (node['class'] === 'CONSTANT') return true;
  const parts = [...treesOf(node['children']), ...['child', 'left', 'right'].map((name) => node[name]).filter(isTree)];
  return parts.length > 0 && parts.every(isAggregate);
}

/** Whether all that the rows are grouped by is among the columns of the result. */
function groupsAreShown(node: Tree, list: readonly Tree[]): boolean {
  return treesOf(node['group_expressions']).every((group) => {
    const number = constantOf(group);
    if (typeof number === 'number') return originOf(list[number - 1] ?? {}) !== null;
    const text = textOf(group);
    const name = columnOf(group);
    return list.some((item) => {
      const origin = originOf(item);
      const isNamed = name !== null && (item['alias'] === name || columnOf(item) === name);
      return origin === '*' ? name !== null : origin !== null && (textOf(item) === text || isNamed);
    });
  });
}

/** An expression without its name and its place. */
const textOf = (node: Tree): string =>
  JSON.stringify(node, (key, value: unknown) => (['alias', 'query_location'].includes(key) ? null : value));

/** The value of a constant; undefined: it is none, or NULL. */
function constantOf(node: Tree): TermValue | undefined {
  if (node['class'] === 'CAST' && isTree(node['child']) && isTree(node['cast_type']) && node['cast_type']['id'] === 'BOOLEAN') {
    const text = constantOf(node['child']);
    return text === 't' || text === 'true' ? true : text === 'f' || text === 'false' ? false : undefined;
  }
  const { value } = node;
  if (node['class'] !== 'CONSTANT' || !isTree(value) || value['is_null'] !== false) return undefined;
  const type = isTree(value['type']) ? value['type'] : {};
  const info = type['type_info'];
  if (type['id'] === 'DECIMAL' && isTree(info) && typeof value['value'] === 'number') return value['value'] / 10 ** Number(info['scale']);
  if (!['VARCHAR', 'BOOLEAN', 'DOUBLE', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'INTEGER_LITERAL'].includes(String(type['id'])))
    return undefined;
  return typeof value['value'] === 'object' ? undefined : (value['value'] as TermValue);
}

interface Read {
  readonly term: Term | null;
  readonly whole: boolean;
}

const UNKNOWN: Read = { term: null, whole: false };

const COMPARISONS: Readonly<Record<string, '==' | '!=' | '<' | '<=' | '>' | '>='>> = {
  COMPARE_EQUAL: '==',
  COMPARE_NOTEQUAL: '!=',
  COMPARE_LESSTHAN: '<',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHAN: '>',
  COMPARE_GREATERTHANOREQUALTO: '>=',
};

function termOf(node: Tree): Read {
  switch (node['type']) {
    case 'CONJUNCTION_AND':
      return allOf(treesOf(node['children']).map(termOf));
    case 'CONJUNCTION_OR':
      return anyOf(treesOf(node['children']).map(termOf));
    case 'COMPARE_IN':
      return inList(treesOf(node['children']));
    case 'COMPARE_BETWEEN':
      return allOf([compare(node['input'], '>=', node['lower']), compare(node['input'], '<=', node['upper'])]);
    case 'OPERATOR_IS_NULL':
    case 'OPERATOR_IS_NOT_NULL': {
      const [of] = treesOf(node['children']);
      const column = of === undefined ? null : columnOf(of);
      const op = node['type'] === 'OPERATOR_IS_NULL' ? 'missing' : 'there';
      return column === null ? UNKNOWN : { term: { op, column }, whole: true };
    }
    default: {
      const op = COMPARISONS[String(node['type'])];
      return op === undefined ? UNKNOWN : compare(node['left'], op, node['right']);
    }
  }
}

function compare(left: unknown, op: (typeof COMPARISONS)[string], right: unknown): Read {
  if (!isTree(left) || !isTree(right)) return UNKNOWN;
  const column = columnOf(left);
  const value = constantOf(right);
  return column === null || value === undefined ? UNKNOWN : { term: { op, column, value }, whole: true };
}

/** Conditions that all hold: one that cannot be said is left out, so that more records are selected. */
function allOf(parts: readonly Read[]): Read {
  const terms = parts.flatMap(({ term }) => (term === null ? [] : [term]));
  return { term: terms.length === 0 ? null : { op: 'and', terms }, whole: parts.every(({ whole }) => whole) };
}

/** Conditions one of which holds: without one of them, nothing can be said. */
function anyOf(parts: readonly Read[]): Read {
  const terms = parts.flatMap(({ term, whole }) => (term === null || !whole ? [] : [term]));
  return terms.length === parts.length ? { term: { op: 'or', terms }, whole: true } : UNKNOWN;
}

function inList([of, ...values]: readonly Tree[]): Read {
  return anyOf(values.map((value) => compare(of, '==', value)));
}
