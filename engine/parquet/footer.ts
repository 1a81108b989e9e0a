import type { ColumnChunk } from './column.ts';
import { Physical } from './column.ts';
import { ThriftStruct } from './thrift.ts';

/** Logical type of a leaf, beyond its physical type. */
type Meaning = 'text' | 'timestamp' | 'uuid' | null;

/** A leaf of the schema. */
export interface Leaf {
  readonly name: string;
  readonly type: Physical;
  readonly meaning: Meaning;
}

/** A column of the schema. */
export type SchemaColumn =
  | { readonly kind: 'required' | 'optional' | 'list'; readonly leaf: Leaf }
  | { readonly kind: 'map'; readonly name: string; readonly key: Leaf; readonly value: Leaf };

/** One row group. */
interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly ColumnChunk[];
}

const Repetition = { REQUIRED: 0, OPTIONAL: 1, REPEATED: 2 } as const;
/** Converted types, for readers that do not know logical ones. */
const Converted = { UTF8: 0, MAP: 1, LIST: 3 } as const;

/** Names of the paths to the leaves of a list and a map, as the format asks for. */
export const LIST_PATH = ['list', 'element'] as const;
export const MAP_PATHS = [
  ['key_value', 'key'],
  ['key_value', 'value'],
] as const;

/** An element of the schema, which is written as a flattened tree. */
interface Element {
  readonly name: string;
  readonly repetition: number | null;
  readonly children?: number;
  readonly logical?: 'list' | 'map';
  readonly leaf?: Leaf;
}

export interface FileDescription {
  readonly columns: readonly SchemaColumn[];
  readonly groups: readonly RowGroup[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdBy: string;
}

/** The metadata at the end of a file (`FileMetaData`), without its length and the magic number. */
export function footer({ columns, groups, metadata, createdBy }: FileDescription): Buffer {
  const elements: Element[] = [{ name: 'schema', repetition: null, children: columns.length }, ...columns.flatMap(elementsOf)];
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  const leaves = elements.filter(({ leaf }) => leaf !== undefined);
  return ThriftStruct.bytes((file) =>
    file
      .i32(1, 1)
      .structs(2, elements, writeElement)
      .i64(3, rows)
      .structs(4, groups, writeGroup)
      .structs(5, Object.entries(metadata), (pair, [key, value]) => void pair.binary(1, key).binary(2, value))
      .binary(6, createdBy)
      // Statistics follow the order that is defined for each type.
      .structs(7, leaves, (order) => void order.struct(1, () => undefined)),
  );
}

function elementsOf(column: SchemaColumn): Element[] {
  if (column.kind === 'map') {
    const { name, key, value } = column;
    return [
      { name, repetition: Repetition.OPTIONAL, children: 1, logical: 'map' },
      { name: MAP_PATHS[0][0], repetition: Repetition.REPEATED, children: 2 },
      { name: MAP_PATHS[0][1], repetition: Repetition.REQUIRED, leaf: key },
      { name: MAP_PATHS[1][1], repetition: Repetition.REQUIRED, leaf: value },
    ];
  }
  const { kind, leaf } = column;
  if (kind !== 'list') return [{ name: leaf.name, repetition: kind === 'required' ? Repetition.REQUIRED : Repetition.OPTIONAL, leaf }];
  return [
    { name: leaf.name, repetition: Repetition.OPTIONAL, children: 1, logical: 'list' },
    { name: LIST_PATH[0], repetition: Repetition.REPEATED, children: 1 },
    { name: LIST_PATH[1], repetition: Repetition.REQUIRED, leaf },
  ];
}

function writeElement(element: ThriftStruct, { name, repetition, children, logical, leaf }: Element): void {
  if (leaf !== undefined) element.i32(1, leaf.type);
  if (leaf?.type === Physical.FIXED) element.i32(2, 16);
  if (repetition !== null) element.i32(3, repetition);
  element.binary(4, name);
  if (children !== undefined) element.i32(5, children);
  if (leaf?.meaning === 'text') element.i32(6, Converted.UTF8).struct(10, (type) => type.struct(1, () => undefined));
  else if (logical === 'map') element.i32(6, Converted.MAP).struct(10, (type) => type.struct(2, () => undefined));
  else if (logical === 'list') element.i32(6, Converted.LIST).struct(10, (type) => type.struct(3, () => undefined));
  else if (leaf?.meaning === 'uuid') element.struct(10, (type) => type.struct(14, () => undefined));
  else if (leaf?.meaning === 'timestamp')
    // Not adjusted to UTC, though it is UTC: adjusted ones are many times slower in DuckDB and lose their nanoseconds.
    element.struct(10, (type) => type.struct(8, (time) => time.bool(1, false).struct(2, (unit) => unit.struct(3, () => undefined))));
}

function writeGroup(group: ThriftStruct, { rows, chunks }: RowGroup): void {
  const uncompressed = chunks.reduce((sum, chunk) => sum + chunk.uncompressed, 0);
  const compressed = chunks.reduce((sum, chunk) => sum + chunk.compressed, 0);
  const [first] = chunks;
  group.structs(1, chunks, writeChunkEntry).i64(2, uncompressed).i64(3, rows);
  if (first !== undefined) group.i64(5, first.dictionaryAt ?? first.dataAt);
  group.i64(6, compressed);
}

function writeChunkEntry(entry: ThriftStruct, chunk: ColumnChunk): void {
  const { leaf, bounds, dictionaryAt, dataAt } = chunk;
  entry.i64(2, dictionaryAt ?? dataAt).struct(3, (meta) => {
    meta
      .i32(1, leaf.type)
      .i32s(2, chunk.encodings)
      .strings(3, leaf.path)
      .i32(4, chunk.codec)
      .i64(5, chunk.places)
      .i64(6, chunk.uncompressed)
      .i64(7, chunk.compressed)
      .i64(9, dataAt);
    if (dictionaryAt !== null) meta.i64(11, dictionaryAt);
    meta.struct(12, (statistics) => {
      statistics.i64(3, chunk.nulls);
      if (bounds !== null) statistics.binary(5, bounds.max).binary(6, bounds.min);
    });
  });
}
