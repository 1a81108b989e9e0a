import { COLUMN_ORDER, type IntHeader, type TextHeader } from '../../api/headers.ts';
import { MessageBatch } from '../../message/batch/batch.ts';
import { headerColumns, type FieldColumn, type IntColumn, type TextColumn } from '../../message/batch/columns.ts';
import { ValueType } from '../../message/types.ts';
import { MORE_COLUMN, RAW_COLUMN, type NamedColumn } from '../column-names.ts';
import { LIST_PATH, MAP_PATHS } from '../footer.ts';
import { LAYOUT_KEY, type Layout } from '../message-table.ts';
import { MemoryBudget, ParquetError } from './byte-reader.ts';
import { readLeaf, type LeafKind } from './chunk.ts';
import { ReadColumn, type ColumnSlice } from './column-slice.ts';
import { guarded } from './guarded.ts';
import { metadataOf } from './metadata.ts';
import { moreColumns, type MoreRows } from './more-columns.ts';
import type { ThriftView } from './thrift-reader.ts';

/** Rows of a batch. */
const BATCH_ROWS = 4096;

/** Messages and the records that they were made of; null: the file does not have them. */
export interface TablePart {
  readonly batch: MessageBatch;
  readonly raw: TextColumn | null;
}

/** Reads the messages of a Parquet file that `MessageTable` has written, with all that it keeps of them. */
export class TableReader {
  readonly rows: number;
  readonly layout: Layout;
  readonly #file: Buffer;
  readonly #budget = new MemoryBudget();
  /** Metadata of the leaves by their paths. */
  readonly #leaves = new Map<string, ThriftView>();

  private constructor(file: Buffer, metadata: ThriftView) {
    this.#file = file;
    this.rows = metadata.number(3);
    this.layout = layoutOf(metadata);
    const groups = metadata.structs(4);
    if (groups.length > 1) throw new ParquetError('it has several row groups');
    for (const chunk of groups[0]?.structs(1) ?? []) {
      const meta = chunk.struct(3);
      this.#leaves.set(pathText(meta.texts(3)), meta);
    }
  }

  get hasUuids(): boolean {
    return this.#leaves.has('Uuid');
  }

  /** @throws {ParquetError} */
  static of(file: Buffer): TableReader {
    return guarded(() => new TableReader(file, metadataOf(file)));
  }

  /** The messages in the order in which they were written. @throws {ParquetError} */
  *batches(): Generator<MessageBatch> {
    for (const { batch } of this.parts()) yield batch;
  }

  /** The messages with the records that they were made of, where the file has them. @throws {ParquetError} */
  *parts(): Generator<TablePart> {
    if (this.rows === 0) return;
    const columns = guarded(() => new TableColumns(this.layout, (path, kind) => this.#column(path, kind)));
    for (let from = 0; from < this.rows; from += BATCH_ROWS)
      yield guarded(() => columns.part(from, Math.min(this.rows, from + BATCH_ROWS)));
  }

  /** null: the file has no such column. */
  #column(path: readonly string[], kind: LeafKind): ReadColumn | null {
    const meta = this.#leaves.get(pathText(path));
    return meta === undefined ? null : new ReadColumn(readLeaf(this.#file, meta, kind, this.#budget), this.rows);
  }
}

const pathText = (path: readonly string[]): string => path.join('\0');

function layoutOf(metadata: ThriftView): Layout {
  const entry = metadata.has(5) ? metadata.structs(5).find((pair) => pair.text(1) === LAYOUT_KEY) : undefined;
  if (entry === undefined) throw new ParquetError('it says nothing of the fields in its columns: it was not written by Sluicebox');
  const layout = JSON.parse(entry.text(2)) as Layout;
  if (layout.layout !== 1) throw new ParquetError(`its layout is ${String(layout.layout)}, and 1 is known`);
  return layout;
}

type Find = (path: readonly string[], kind: LeafKind) => ReadColumn | null;

/** The columns of a file. */
class TableColumns {
  readonly #timestamps: ReadColumn;
  readonly #uuids: ReadColumn | null;
  readonly #raw: ReadColumn | null;
  readonly #headers: ReadonlyMap<TextHeader | IntHeader, ReadColumn>;
  readonly #fields: readonly { readonly named: NamedColumn; readonly column: ReadColumn }[];
  readonly #more: MoreRows | null;

  constructor({ columns, more }: Layout, find: Find) {
    const found = (path: readonly string[], kind: LeafKind): ReadColumn => {
      const column = find(path, kind);
      if (column === null) throw new ParquetError(`it lacks the column ${path.join('.')}`);
      return column;
    };
    this.#timestamps = found(['Timestamp'], 'required');
    this.#uuids = find(['Uuid'], 'required');
    this.#raw = find([RAW_COLUMN], 'optional');
    this.#headers = new Map(COLUMN_ORDER.map(({ name, member }) => [member, found([name], 'optional')]));
    // Fields of one name come in the order of their message.
    const ordered = columns.toSorted((one, other) => one.nth - other.nth);
    this.#fields = ordered.map((named) => ({
      named,
      column: named.list ? found([named.column, ...LIST_PATH], 'list') : found([named.column], 'optional'),
    }));
    const [keys, values] = MAP_PATHS.map((path) => (more.length === 0 ? null : found([MORE_COLUMN, ...path], 'list')));
    this.#more = keys && values ? { keys, values, byColumn: new Map(more.map((named) => [named.column, named])) } : null;
  }

  part(from: number, to: number): TablePart {
    return { batch: this.#batch(from, to), raw: this.#raw === null ? null : textColumn(this.#raw.slice(from, to)) };
  }

  #batch(from: number, to: number): MessageBatch {
    const length = to - from;
    const uuids = this.#uuids?.slice(from, to).values.uuids();
    const fields = this.#fields.flatMap(({ named, column }) => fieldColumn(named, column.slice(from, to)) ?? []);
    return new MessageBatch({
      length,
      timestamps: this.#timestamps.slice(from, to).values.bigints(),
      uuids: uuids ?? null,
      ...headerColumns(
        (name) => textColumn(this.#slice(name, from, to)),
        (name) => intColumn(this.#slice(name, from, to)),
      ),
      fields: this.#more === null ? fields : [...fields, ...moreColumns(this.#more, from, to)],
    });
  }

  #slice(name: TextHeader | IntHeader, from: number, to: number): ColumnSlice {
    return (this.#headers.get(name) as ReadColumn).slice(from, to);
  }
}

function textColumn({ rows, entries, values }: ColumnSlice): TextColumn | null {
  if (entries === 0) return null;
  const constant = rows === null ? values.constant() : null;
  return constant === null ? { rows, ...values.texts() } : { constant };
}

const intColumn = ({ rows, entries, values }: ColumnSlice): IntColumn | null => (entries === 0 ? null : { rows, values: values.ints() });

/** null: none of the rows has the field. */
function fieldColumn(
  { name, representation, valueType }: NamedColumn,
  { rows, entries, offsets, values }: ColumnSlice,
): FieldColumn | null {
  if (entries === 0) return null;
  const base = { name, representation, rows, offsets };
  switch (valueType) {
    case ValueType.STRING:
      return { ...base, valueType, values: values.texts() };
    case ValueType.BYTES:
      return { ...base, valueType, values: values.bytes() };
    case ValueType.INTEGER:
      return { ...base, valueType, values: values.bigints() };
    case ValueType.DOUBLE:
      return { ...base, valueType, values: values.doubles() };
    case ValueType.BOOL:
      return { ...base, valueType, values: values.bools() };
  }
}
