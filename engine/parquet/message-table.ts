import type { MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn, TextColumn } from '../message/batch/columns.ts';
import { baseName, ColumnNames, keyText, MORE_COLUMN, type ColumnKey, type NamedColumn } from './column-names.ts';
import { writeChunk, Physical, type ColumnChunk, type Packing } from './column.ts';
import { FieldBuilder } from './field-builder.ts';
import { fileOf, leafPart, type Part } from './file.ts';
import { MAP_PATHS, type SchemaColumn } from './footer.ts';
import type { GrowingBytes } from './growing.ts';
import { HeaderBuilders } from './header-builders.ts';
import { MoreFields, type MoreEntry } from './more-fields.ts';
import { TextBytes } from './text-bytes.ts';

/** Columns for fields. The fields of further ones go into the map. */
const MAX_FIELD_COLUMNS = 1000;

/** Names of a table's columns and entries of its map. Fields beyond them have entries that describe themselves, so a file that is read lists no more. */
const MOST_NAMES = 10_000;

/** Key of the file's metadata that says which fields its columns hold. */
export const LAYOUT_KEY = 'sluicebox';

/** The description in a file of what its columns hold. */
export interface Layout {
  /** Version of this layout. */
  readonly layout: 1;
  readonly columns: readonly NamedColumn[];
  /** Entries of the map, by their names there. */
  readonly more: readonly NamedColumn[];
  /** It has the records that the messages were made of. */
  readonly raw?: true;
}

export interface TableOptions {
  /** Whether the Uuid of each message is kept. */
  readonly uuids: boolean;
  readonly maxColumns?: number;
  readonly maxNames?: number;
  /** Whether a column is written whose name begins so; absent: all are. Timestamps that are not wanted are zero. */
  readonly wants?: ((name: string) => boolean) | undefined;
  /** Absent: `all`. */
  readonly packing?: Packing;
}

/** A Parquet file, whole. */
export interface TableFile {
  readonly bytes: Buffer;
  readonly rows: number;
  readonly layout: Layout;
  /** Headers that no row has. */
  readonly unused: readonly string[];
  /** Columns that its rows have and the file has not, since they are not wanted. */
  readonly leftOut: readonly string[];
}

/**
 * Collects messages and writes them as a Parquet file of one row group: a column for each header and for each name, type and unit of fields. Nothing is
 * lost but the order of fields within a message.
 */
export class MessageTable {
  rows = 0;
  readonly #options: TableOptions;
  readonly #texts = new TextBytes();
  readonly #headers: HeaderBuilders;
  readonly #builders = new Map<string, FieldBuilder>();
  readonly #more = new MoreFields(this.#texts);
  readonly #wantsMore: boolean;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#wantsMore = options.wants?.(MORE_COLUMN) !== false;
    this.#headers = new HeaderBuilders(this.#texts, options.uuids, options.wants ?? (() => true));
  }

  /** Bytes in memory, about. */
  get bytes(): number {
    let sum = this.#more.bytes + this.#headers.bytes;
    for (const { store } of this.#builders.values()) sum += store.bytes;
    return sum;
  }

  /** @param raw the records that the messages were made of; null: they are not kept */
  add(batch: MessageBatch, raw: TextColumn | null = null): void {
    this.#headers.add(batch, this.rows, raw);
    const more: MoreEntry[] = [];
    for (const columns of Map.groupBy(batch.fields, ({ name }) => name).values()) {
      // Fields that are alone in their messages go to their columns at once.
      const groups = areApart(columns, batch.length) ? groupsByKey(columns) : [columns];
      for (const group of groups) {
        const [first] = group as [FieldColumn];
        if (group.length === 1 && first.offsets === null) this.#addColumn(first, batch.length, more);
        else this.#addEntries(group, batch.length, more);
      }
    }
    if (more.length > 0) this.#more.add(more.sort((one, other) => one.row - other.row));
    this.rows += batch.length;
    this.#texts.clear();
  }

  /**
   * Writes the file. Nothing may be added after it.
   * @param names those of earlier files of the table, so that they stay
   */
  file(createdBy: string, names = new ColumnNames()): TableFile {
    const builders = [...this.#builders.values()];
    const free = (this.#options.maxNames ?? MOST_NAMES) - names.size - builders.length;
    // At least one is listed, by which readers see that there is a map.
    const listed = this.#more.keys.filter((key, i) => i === 0 || i < free || names.has(key));
    const named = names.name([...builders.map(({ key }) => key), ...listed]);
    const columns = builders.map(({ traits }, i): NamedColumn => ({ ...(named[i] as NamedColumn), ...traits }));
    const more = named.slice(builders.length);
    const headers = this.#headers.columns();
    const parts: Part[] = [
      ...headers.map(({ leaf, levels, store }): Part => {
        levels?.fill(this.rows);
        return leafPart({ kind: levels === null ? 'required' : 'optional', leaf }, { levels, rows: this.rows, store });
      }),
      ...builders.flatMap((builder, i): Part | [] => {
        const { levels, store, key } = builder;
        if (builder.isLeftOut) return [];
        levels.fill(this.rows);
        return leafPart(
          { kind: key.list ? 'list' : 'optional', leaf: builder.leaf((columns[i] as NamedColumn).column) },
          { levels, rows: this.rows, store },
        );
      }),
      ...(this.#more.keys.length === 0 ? [] : [this.#morePart(more)]),
    ];
    const layout: Layout = { layout: 1, columns, more, ...(this.#headers.hasRaw ? { raw: true } : {}) };
    const metadata = { [LAYOUT_KEY]: JSON.stringify(layout) };
    const bytes = fileOf(parts, { rows: this.rows, metadata, createdBy, packing: this.#options.packing ?? 'all' });
    const { leftOut } = this.#headers;
    const unused = headers.filter(({ levels, leaf }) => levels?.values === 0 && !leftOut.has(leaf.name)).map(({ leaf }) => leaf.name);
    const fields = builders.flatMap(({ isLeftOut }, i) => (isLeftOut ? [(columns[i] as NamedColumn).column] : []));
    return { bytes, rows: this.rows, layout, unused, leftOut: [...fields, ...leftOut] };
  }

  /** Adds a column all entries of which have one value, and are the only field of this name in their messages. */
  #addColumn(column: FieldColumn, length: number, more: MoreEntry[]): void {
    const key = keyOf(column, false, 0);
    const builder = this.#builderFor(key);
    if (builder !== null) return builder.addColumn(column, this.rows, length);
    if (!this.#wantsMore) return;
    for (let entry = 0; entry < (column.rows?.length ?? length); entry++)
      more.push({ key, column, entry, row: this.rows + (column.rows?.[entry] ?? entry) });
  }

  /** Adds the columns of one name, row by row. */
  #addEntries(columns: readonly FieldColumn[], length: number, more: MoreEntry[]): void {
    const entries = columns.flatMap((column) =>
      Array.from({ length: column.rows?.length ?? length }, (_, entry) => ({ column, entry, row: column.rows?.[entry] ?? entry })),
    );
    // The sort is stable: fields of one message stay in their order.
    entries.sort((one, other) => one.row - other.row);
    let before = -1;
    let nth = 0;
    for (const { column, entry, row } of entries) {
      nth = row === before ? nth + 1 : 0;
      before = row;
      const { offsets } = column;
      const [from, to] = offsets === null ? [entry, entry + 1] : [offsets[entry] as number, offsets[entry + 1] as number];
      const key = keyOf(column, to - from !== 1, nth);
      const builder = this.#builderFor(key);
      if (builder === null) {
        if (this.#wantsMore) more.push({ key, column, entry, row: this.rows + row });
      } else builder.addEntry(column, this.rows + row, from, to);
    }
  }

  /** null: there are so many columns already that it gets none. */
  #builderFor(key: ColumnKey): FieldBuilder | null {
    const text = keyText(key);
    const known = this.#builders.get(text);
    if (known !== undefined) return known;
    if (this.#builders.size >= (this.#options.maxColumns ?? MAX_FIELD_COLUMNS)) return null;
    const builder = new FieldBuilder(key, this.#texts, this.#options.wants?.(baseName(key.name)) === false);
    this.#builders.set(text, builder);
    return builder;
  }

  #morePart(named: readonly NamedColumn[]): Part {
    const { levels, values } = this.#more;
    levels.fill(this.rows);
    const type = Physical.BYTE_ARRAY;
    const write = (out: GrowingBytes, packing: Packing): ColumnChunk[] =>
      [this.#more.names(named), values].map((store, i) => {
        const path = [MORE_COLUMN, ...(MAP_PATHS[i] as readonly string[])];
        return writeChunk(out, { type, path, levels, isList: true, rows: this.rows, values: store.finish() }, packing);
      });
    const [key, value] = ['key', 'value'].map((name) => ({ name, type, meaning: 'text' as const })) as [SchemaLeaf, SchemaLeaf];
    return { column: { kind: 'map', name: MORE_COLUMN, key, value }, write };
  }
}

type SchemaLeaf = Extract<SchemaColumn, { kind: 'map' }>['key'];

const keyOf = ({ name, valueType, representation }: FieldColumn, list: boolean, nth: number): ColumnKey => ({
  name,
  valueType,
  representation,
  list,
  nth,
});

const groupsByKey = (columns: readonly FieldColumn[]): Iterable<readonly FieldColumn[]> =>
  columns.length === 1 ? [columns] : Map.groupBy(columns, (column) => keyText(keyOf(column, false, 0))).values();

/** Whether no message has several of these fields. */
function areApart(columns: readonly FieldColumn[], length: number): boolean {
  if (columns.length === 1) return true;
  const taken = new Uint8Array(length);
  for (const { rows } of columns) {
    if (rows === null) return false;
    for (const row of rows) {
      if (taken[row] === 1) return false;
      taken[row] = 1;
    }
  }
  return true;
}
