import type { SchemaField, SchemaLogger } from '../../../../engine/api/types.ts';
import type { TreeStep } from '../../lib/filter/local-keys.ts';

/** One visible line of the schema's tree. */
export interface SchemaRow {
  readonly key: string;
  readonly level: 1 | 2 | 3 | 4;
  readonly kind: 'logger' | 'type' | 'version' | 'field';
  /** Name of the logger, type, version or field; empty for messages without one. */
  readonly name: string;
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
    const key = `l:${keyOf(logger.name)}`;
    const row = branch('logger', key, logger, logger.name === '' ? '(no logger)' : logger.name, closed, null);
    return row.open === true ? [row, ...logger.types.flatMap((type) => typeRows(type, key, closed))] : [row];
  });
}

type SchemaType = SchemaLogger['types'][number];
type SchemaVersion = SchemaType['versions'][number];

function typeRows(type: SchemaType, parent: string, closed: ReadonlySet<string>): SchemaRow[] {
  const key = `${parent}/t:${keyOf(type.name)}`;
  const row = branch('type', key, type, type.name === '' ? '(no type)' : type.name, closed, parent);
  if (row.open !== true) return [row];
  // A version that no message names says nothing where there is no other.
  const [only] = type.versions;
  if (only?.name === '' && type.versions.length === 1) return [row, ...fieldRows(only, key, 3)];
  return [row, ...type.versions.flatMap((version) => versionRows(version, key, closed))];
}

function versionRows(version: SchemaVersion, parent: string, closed: ReadonlySet<string>): SchemaRow[] {
  const key = `${parent}/v:${keyOf(version.name)}`;
  const label = version.name === '' ? '(no version)' : `version ${version.name}`;
  const row = branch('version', key, version, label, closed, parent);
  return row.open === true ? [row, ...fieldRows(version, key, 4)] : [row];
}

function fieldRows({ fields, count: of }: SchemaVersion, parent: string, level: 3 | 4): SchemaRow[] {
  return fields.map((field): SchemaRow => {
    const { name, count } = field;
    return { key: `${parent}/f:${keyOf(name)}`, level, kind: 'field', name, label: name, count, open: null, parent, field, of };
  });
}

const LEVELS = { logger: 1, type: 2, version: 3 } as const;

function branch(
  kind: keyof typeof LEVELS,
  key: string,
  { name, count }: { readonly name: string; readonly count: number },
  label: string,
  closed: ReadonlySet<string>,
  parent: string | null,
): SchemaRow {
  return { key, level: LEVELS[kind], kind, name, label, count, open: !closed.has(key), parent, field: null, of: count };
}

/** A name as a part of a key: a single slash parts it from the next one. */
const keyOf = (name: string): string => name.replaceAll('/', '//');

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
