import { fieldEntry, headerReaders, messageWith, type MessageBatch } from './batch.ts';
import type { FieldColumn } from './columns.ts';
import type { Field, Message } from '../types.ts';

/**
 * The entries of each row, in column order. Reading rows by it takes time linear in the values of a batch, however
 * many columns there are; asking every column for every row would not.
 */
export class RowIndex {
  readonly #starts: Uint32Array;
  readonly #columns: Uint32Array;
  readonly #entries: Uint32Array;

  constructor(columns: readonly { readonly rows: Uint32Array | null }[], length: number) {
    const starts = new Uint32Array(length + 1);
    let dense = 0;
    for (const { rows } of columns) {
      if (rows === null) dense++;
      else for (let i = 0; i < rows.length; i++) starts[(rows[i] as number) + 1]! += 1;
    }
    for (let row = 0; row < length; row++) starts[row + 1]! += (starts[row] as number) + dense;
    const total = starts[length] as number;
    const next = starts.slice();
    this.#starts = starts;
    this.#columns = new Uint32Array(total);
    this.#entries = new Uint32Array(total);
    for (const [c, { rows }] of columns.entries()) {
      const count = rows === null ? length : rows.length;
      for (let entry = 0; entry < count; entry++) {
        const row = rows === null ? entry : (rows[entry] as number);
        const at = next[row]!++;
        this.#columns[at] = c;
        this.#entries[at] = entry;
      }
    }
  }

  /** The row's entries are the places [start(row), end(row)). */
  start(row: number): number {
    return this.#starts[row] as number;
  }

  end(row: number): number {
    return this.#starts[row + 1] as number;
  }

  /** The number of the column at a place. */
  columnAt(place: number): number {
    return this.#columns[place] as number;
  }

  /** The entry of that column at a place. */
  entryAt(place: number): number {
    return this.#entries[place] as number;
  }
}

/** All messages of a batch (or those of `rows`) as plain objects, in order. Linear, unlike a call of `batch.message` for each. */
export function* messagesOf(batch: MessageBatch, rows: Uint32Array | null = null): Generator<Message> {
  const index = new RowIndex(batch.fields, batch.length);
  const headers = headerReaders(batch);
  const count = rows === null ? batch.length : rows.length;
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : (rows[i] as number);
    if (!(row < batch.length)) throw new RangeError(`row ${row} of a batch of ${batch.length}`);
    const fields: Field[] = [];
    for (let at = index.start(row); at < index.end(row); at++) {
      fields.push(fieldEntry(batch.fields[index.columnAt(at)] as FieldColumn, index.entryAt(at)));
    }
    yield messageWith(batch, row, fields, headers);
  }
}
