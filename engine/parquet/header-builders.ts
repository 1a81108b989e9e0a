import { INTS, TEXTS } from '../api/headers.ts';
import { RAW_COLUMN } from './column-names.ts';
import type { IntColumn, TextColumn } from '../message/batch/columns.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { Physical } from './column.ts';
import type { Leaf } from './footer.ts';
import { Levels } from './levels.ts';
import type { TextBytes } from './text-bytes.ts';
import { BlobStore, int32Bounds, int64Bounds, NumberStore, UuidStore, type ValueStore } from './values.ts';
import { wordsOf } from './field-builder.ts';

/** A column of the headers. */
export interface HeaderColumn {
  readonly leaf: Leaf;
  /** null: every row has it. */
  readonly levels: Levels | null;
  readonly store: ValueStore;
}

/** Stands for times that nobody wants: the column is always there. */
const NO_TIME = Int32Array.of(0, 0);

/** Collects the headers of messages. */
export class HeaderBuilders {
  readonly #texts: TextBytes;
  readonly #wants: (column: string) => boolean;
  /** Headers that rows have and the file has not. */
  readonly leftOut = new Set<string>();
  readonly #timestamps = new NumberStore(2, int64Bounds);
  readonly #uuids: UuidStore | null;
  readonly #raw = { levels: new Levels(), store: new BlobStore() };
  readonly #textHeaders = TEXTS.map((header) => ({ ...header, levels: new Levels(), store: new BlobStore() }));
  readonly #intHeaders = INTS.map((header) => ({ ...header, levels: new Levels(), store: new NumberStore(1, int32Bounds) }));

  /** @param uuids whether the Uuid of each message is kept */
  constructor(texts: TextBytes, uuids: boolean, wants: (column: string) => boolean) {
    this.#texts = texts;
    this.#wants = wants;
    this.#uuids = uuids ? new UuidStore() : null;
  }

  /** Whether some rows have the records that they were made of. */
  get hasRaw(): boolean {
    return this.#raw.levels.values > 0;
  }

  /** Bytes in memory, about. */
  get bytes(): number {
    return this.columns().reduce((sum, { store }) => sum + store.bytes, 0);
  }

  /** @param raw the records of the messages; null: they are not kept */
  add(batch: MessageBatch, before: number, raw: TextColumn | null): void {
    const { length } = batch;
    this.#addTexts(raw, this.#raw.levels, this.#raw.store, before, length);
    if (this.#wants('Timestamp')) this.#timestamps.add(wordsOf(batch.timestamps), 0, length);
    else this.#timestamps.addRepeated(NO_TIME, length);
    this.#uuids?.add(batch.uuids.subarray(0, length * 16));
    for (const { name, member, levels, store } of this.#textHeaders)
      if (this.#takes(name, batch[member])) this.#addTexts(batch[member], levels, store, before, length);
    for (const { name, member, levels, store } of this.#intHeaders)
      if (this.#takes(name, batch[member])) addInts(batch[member], levels, store, before, length);
  }

  columns(): HeaderColumn[] {
    const time: HeaderColumn = {
      leaf: { name: 'Timestamp', type: Physical.INT64, meaning: 'timestamp' },
      levels: null,
      store: this.#timestamps,
    };
    const uuid = this.#uuids;
    const uuids: HeaderColumn[] =
      uuid === null ? [] : [{ leaf: { name: 'Uuid', type: Physical.FIXED, meaning: 'uuid' }, levels: null, store: uuid }];
    const texts = this.#textHeaders.map(({ name, levels, store }): HeaderColumn => ({
      leaf: { name, type: Physical.BYTE_ARRAY, meaning: 'text' },
      levels,
      store,
    }));
    const ints = this.#intHeaders.map(({ name, levels, store }): HeaderColumn => ({
      leaf: { name, type: Physical.INT32, meaning: null },
      levels,
      store,
    }));
    const raw: HeaderColumn = { leaf: { name: RAW_COLUMN, type: Physical.BYTE_ARRAY, meaning: 'text' }, ...this.#raw };
    return [time, ...uuids, ...texts, ...ints, ...(this.hasRaw ? [raw] : [])];
  }

  #takes(name: string, column: TextColumn | IntColumn | null): boolean {
    if (this.#wants(name)) return true;
    if (column !== null) this.leftOut.add(name);
    return false;
  }

  #addTexts(column: TextColumn | null, levels: Levels, store: BlobStore, before: number, length: number): void {
    if (column === null || length === 0) return;
    if (column.constant !== undefined) {
      levels.present(before, length);
      this.#texts.addText(store, column.constant, length);
    } else {
      markRows(levels, column.rows, before, length);
      this.#texts.add(store, column, 0, column.rows?.length ?? length);
    }
  }
}

function addInts(column: IntColumn | null, levels: Levels, store: NumberStore, before: number, length: number): void {
  if (column === null || length === 0) return;
  if (column.constant !== undefined) {
    levels.present(before, length);
    store.addRepeated(Int32Array.of(column.constant), length);
  } else {
    markRows(levels, column.rows, before, length);
    store.add(column.values, 0, column.rows?.length ?? length);
  }
}

function markRows(levels: Levels, rows: Uint32Array | null, before: number, length: number): void {
  if (rows === null) levels.present(before, length);
  else for (const row of rows) levels.present(before + row);
}
