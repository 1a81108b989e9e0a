import { writeChunk, type ColumnChunk, type Packing } from './column.ts';
import { footer, LIST_PATH, type SchemaColumn } from './footer.ts';
import { GrowingBytes } from './growing.ts';
import type { Levels } from './levels.ts';
import type { ValueStore } from './values.ts';

const MAGIC = Buffer.from('PAR1');

/** A column of a file, before it is written. */
export interface Part {
  readonly column: SchemaColumn;
  write(out: GrowingBytes, packing: Packing): ColumnChunk[];
}

/** A column with one leaf. @param data `levels` is null when every row has a value */
export function leafPart(
  column: Exclude<SchemaColumn, { kind: 'map' }>,
  { levels, rows, store }: { readonly levels: Levels | null; readonly rows: number; readonly store: ValueStore },
): Part {
  const { kind, leaf } = column;
  const isList = kind === 'list';
  const path = isList ? [leaf.name, ...LIST_PATH] : [leaf.name];
  return {
    column,
    write: (out, packing) => [writeChunk(out, { type: leaf.type, path, levels, isList, rows, values: store.finish() }, packing)],
  };
}

interface FileOptions {
  readonly rows: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdBy: string;
  readonly packing?: Packing;
}

/** A whole file with one row group. */
export function fileOf(parts: readonly Part[], { rows, metadata, createdBy, packing = 'all' }: FileOptions): Buffer {
  const out = new GrowingBytes(1 << 16);
  out.bytes(MAGIC);
  const chunks = parts.flatMap((part) => part.write(out, packing));
  const columns = parts.map(({ column }) => column);
  const end = footer({ columns, groups: rows === 0 ? [] : [{ rows, chunks }], metadata, createdBy });
  out.bytes(end);
  out.word(end.length);
  out.bytes(MAGIC);
  return out.view();
}
