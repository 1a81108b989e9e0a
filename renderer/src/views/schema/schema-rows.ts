import type { SchemaField, SchemaLogger } from '../../../../engine/api/types.ts';
import type { TreeStep } from '../../lib/local-keys.ts';

/** One visible line of the schema's tree. */
export interface SchemaRow {
  readonly key: string;
  readonly level: 1 | 2 | 3 | 4;
  readonly kind: 'logger' | 'type' | 'version' | 'field';
  readonly label: string;
  readonly count: number;
  /** Whether it has lines below it, and whether they are shown; null: a field has none. */
  readonly open: boolean | null;
  readonly parent: string | null;
  readonly field: SchemaField | null;
  /** The count of the version that a field belongs to, for its share. */
  readonly of: number;
}

/** The visible lines, given the keys of the closed ones. */
export function schemaRows(schema: readonly SchemaLogger[], closed: ReadonlySet<string>): SchemaRow[] {
  return schema.flatMap((logger) => {
    const key = `l:${logger.name}`;
    const row = branch(key, 1, 'logger', logger.name === '' ? '(no logger)' : logger.name, logger.count, closed, null);
    return row.open === true ? [row, ...logger.types.flatMap((type) => typeRows(type, key, closed))] : [row];
  });
}

type SchemaType = SchemaLogger['types'][number];
type SchemaVersion = SchemaType['versions'][number];

function typeRows(type: SchemaType, parent: string, closed: ReadonlySet<string>): SchemaRow[] {
  const key = `${parent}/t:${type.name}`;
  const row = branch(key, 2, 'type', type.name === '' ? '(no type)' : type.name, type.count, closed, parent);
  if (row.open !== true) return [row];
  // A version that no message names says nothing where there is no other.
  const [only] = type.versions;
  if (only?.name === '' && type.versions.length === 1) return [row, ...fieldRows(only, key, 3)];
  return [row, ...type.versions.flatMap((version) => versionRows(version, key, closed))];
}

function versionRows(version: SchemaVersion, parent: string, closed: ReadonlySet<string>): SchemaRow[] {
  const key = `${parent}/v:${version.name}`;
  const label = version.name === '' ? '(no version)' : `version ${version.name}`;
  const row = branch(key, 3, 'version', label, version.count, closed, parent);
  return row.open === true ? [row, ...fieldRows(version, key, 4)] : [row];
}

function fieldRows({ fields, count: of }: SchemaVersion, parent: string, level: 3 | 4): SchemaRow[] {
  return fields.map((field): SchemaRow => {
    const { name, count } = field;
    return { key: `${parent}/f:${name}`, level, kind: 'field', label: name, count, open: null, parent, field, of };
  });
}

function branch(
  key: string,
  level: 1 | 2 | 3,
  kind: 'logger' | 'type' | 'version',
  label: string,
  count: number,
  closed: ReadonlySet<string>,
  parent: string | null,
): SchemaRow {
  return { key, level, kind, label, count, open: !closed.has(key), parent, field: null, of: count };
}

/** The effect of a step in a tree: move to a line, open or close one; null: none. */
export type TreeMove = { readonly to: string } | { readonly toggle: string } | null;

/** After https://www.w3.org/WAI/ARIA/apg/patterns/treegrid/ */
export function treeMove(rows: readonly SchemaRow[], current: string | null, step: TreeStep): TreeMove {
  const at = rows.findIndex((row) => row.key === current);
  const row = rows[at];
  const to = (target: SchemaRow | undefined): TreeMove => (target === undefined ? null : { to: target.key });
  switch (step) {
    case 'next':
      return to(rows[at + 1]);
    case 'previous':
      return to(rows[Math.max(0, at - 1)]);
    case 'first':
      return to(rows[0]);
    case 'last':
      return to(rows.at(-1));
    case 'open':
      if (row?.open === false) return { toggle: row.key };
      return row?.open === true ? to(rows[at + 1]) : null;
    case 'close':
      if (row?.open === true) return { toggle: row.key };
      return row === undefined || row.parent === null ? null : { to: row.parent };
  }
}
