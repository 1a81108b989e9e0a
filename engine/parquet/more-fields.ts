import type { FieldColumn } from '../message/batch/columns.ts';
import { fieldEntry } from '../message/batch/batch.ts';
import { keyText, type ColumnKey, type NamedColumn } from './column-names.ts';
import { Levels } from './levels.ts';
import type { TextBytes } from './text-bytes.ts';
import { BlobStore } from './values.ts';

/** Bytes of a key with its places in tables, about, beside its text. */
const KEY_BYTES = 200;

/** An entry of a batch that has no column of its own. */
export interface MoreEntry {
  readonly key: ColumnKey;
  readonly column: FieldColumn;
  readonly entry: number;
  /** Row of the table. */
  readonly row: number;
}

/** Collects the fields of a table with very many as a map for each row, from the names that their columns would have to their values as text. */
export class MoreFields {
  readonly levels = new Levels();
  readonly keys: ColumnKey[] = [];
  readonly values = new BlobStore();
  readonly #numbers = new Map<string, number>();
  /** Characters of the keys. */
  #characters = 0;
  /** Number of the key of each entry of the maps. */
  readonly #entries: number[] = [];
  readonly #texts: TextBytes;

  constructor(texts: TextBytes) {
    this.#texts = texts;
  }

  /** Bytes in memory, about. */
  get bytes(): number {
    return this.values.bytes + 8 * this.#entries.length + KEY_BYTES * this.keys.length + 2 * this.#characters;
  }

  /** Adds entries of rows that ascend. */
  add(entries: readonly MoreEntry[]): void {
    for (let i = 0; i < entries.length;) {
      const { row } = entries[i] as MoreEntry;
      let end = i;
      while (entries[end]?.row === row) end++;
      this.levels.list(row, end - i);
      for (; i < end; i++) this.#addEntry(entries[i] as MoreEntry);
    }
  }

  #addEntry({ key, column, entry }: MoreEntry): void {
    const text = keyText(key);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.keys.length;
      this.#numbers.set(text, number);
      this.keys.push(key);
      this.#characters += text.length;
    }
    this.#entries.push(number);
    this.#texts.addText(this.values, valueText(column, entry));
  }

  /** The names of the entries. @param named those of the keys that have one; the others go by the texts of their keys */
  names(named: readonly NamedColumn[]): BlobStore {
    const columns = new Map(named.map((column) => [keyText(column), column.column]));
    const names = this.keys.map((key) => columns.get(keyText(key)) ?? keyText(key));
    const store = new BlobStore();
    for (const number of this.#entries) this.#texts.addText(store, names[number] as string);
    return store;
  }
}

/** A field as text: a single text as it is, bytes as Base64, others as their literals; lists as JSON of these texts. */
function valueText(column: FieldColumn, entry: number): string {
  const { values } = fieldEntry(column, entry);
  const texts = [...values].map((value) => literal(value));
  return texts.length === 1 ? (texts[0] as string) : JSON.stringify(texts);
}

function literal(value: string | Uint8Array | bigint | number | boolean): string {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'object') return Buffer.from(value).toString('base64');
  return Object.is(value, -0) ? '-0' : String(value);
}
