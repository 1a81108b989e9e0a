import { ValueType } from '../message/types.ts';
import { measureOf, type Measure } from '../base/text/quantity.ts';
import { isWrittenNumber } from '../base/text/written-number.ts';
import type { FieldColumn, TextValues } from '../message/batch/columns.ts';
import type { ColumnKey, NamedColumn } from './column-names.ts';
import { Physical } from './column.ts';
import type { Leaf } from './footer.ts';
import { Levels } from './levels.ts';
import type { TextBytes } from './text-bytes.ts';
import { BlobStore, BoolStore, doubleBounds, int64Bounds, NumberStore, type ValueStore } from './values.ts';

/** The physical type of each type of values. */
const PHYSICAL: Readonly<Record<ValueType, Physical>> = {
  [ValueType.STRING]: Physical.BYTE_ARRAY,
  [ValueType.BYTES]: Physical.BYTE_ARRAY,
  [ValueType.INTEGER]: Physical.INT64,
  [ValueType.DOUBLE]: Physical.DOUBLE,
  [ValueType.BOOL]: Physical.BOOLEAN,
};

type TypedStore =
  | { readonly valueType: 0 | 1; readonly store: BlobStore }
  | { readonly valueType: 2 | 3; readonly store: NumberStore }
  | { readonly valueType: 4; readonly store: BoolStore };

/** Collects the fields of one column of a file. */
export class FieldBuilder {
  readonly key: ColumnKey;
  readonly levels = new Levels();
  readonly #typed: TypedStore;
  readonly #texts: TextBytes;
  /** Whether its texts so far are all written as numbers; null: there are none. */
  #areNumbers: boolean | null = null;
  /** The measure of all texts so far; null: they have none in common; undefined: there are no texts. */
  #quantity: Measure | null | undefined;
  /** Its values are dropped: the file has no such column. */
  readonly isLeftOut: boolean;

  constructor(key: ColumnKey, texts: TextBytes, isLeftOut: boolean) {
    this.key = key;
    this.isLeftOut = isLeftOut;
    this.#typed = storeFor(key.valueType);
    this.#texts = texts;
  }

  get store(): ValueStore {
    return this.#typed.store;
  }

  /** Properties of its values. */
  get traits(): Pick<NamedColumn, 'whole' | 'wide' | 'numbers' | 'quantity'> {
    const typed = this.#typed;
    if (typed.valueType === 3 && typed.store.isWhole) return { whole: true };
    if (typed.valueType === 2 && typed.store.isWide) return { wide: true };
    if (this.#areNumbers === true) return { numbers: true };
    return this.#quantity ? { quantity: this.#quantity } : {};
  }

  leaf(name: string): Leaf {
    const { valueType } = this.key;
    return { name, type: PHYSICAL[valueType], meaning: valueType === ValueType.STRING ? 'text' : null };
  }

  /** Adds all entries of a column that has one value in each. @param before rows of the table before the batch */
  addColumn(column: FieldColumn, before: number, length: number): void {
    const { rows } = column;
    this.#noteTexts(column, 0, rows?.length ?? length);
    if (this.isLeftOut) return;
    if (rows === null) this.levels.present(before, length);
    else for (const row of rows) this.levels.present(before + row);
    this.#addValues(column, 0, rows?.length ?? length);
  }

  /** Adds the values [from, to) of a column as what the row has. */
  addEntry(column: FieldColumn, row: number, from: number, to: number): void {
    this.#noteTexts(column, from, to);
    if (this.isLeftOut) return;
    if (this.key.list) this.levels.list(row, to - from);
    else this.levels.present(row);
    this.#addValues(column, from, to);
  }

  /** Also where they are dropped: names of columns do not depend on what a query asks for. */
  #noteTexts(column: FieldColumn, from: number, to: number): void {
    if (column.valueType !== ValueType.STRING || to <= from) return;
    if (this.#areNumbers !== false) this.#areNumbers = areNumbers(column.values, from, to);
    if (this.#quantity !== null) this.#quantity = commonMeasure(column.values, from, to, this.#quantity);
  }

  #addValues(column: FieldColumn, from: number, to: number): void {
    const typed = this.#typed;
    switch (column.valueType) {
      case ValueType.STRING:
        if (typed.valueType !== 0) break;
        this.#texts.add(typed.store, column.values, from, to);
        break;
      case ValueType.BYTES: {
        const { bytes, starts, ends } = column.values;
        if (typed.valueType === 1) for (let i = from; i < to; i++) typed.store.add(bytes, starts[i] as number, ends[i] as number);
        break;
      }
      case ValueType.INTEGER:
      case ValueType.DOUBLE:
        if (typed.valueType === column.valueType) typed.store.add(wordsOf(column.values), from, to);
        break;
      case ValueType.BOOL:
        if (typed.valueType === 4) typed.store.add(column.values, from, to);
        break;
    }
  }
}

function areNumbers({ text, starts, ends }: TextValues, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!isWrittenNumber(text.slice(starts[i], ends[i]))) return false;
  return true;
}

/** The measure of these texts and of those before them; null: they have none in common. */
function commonMeasure({ text, starts, ends }: TextValues, from: number, to: number, before: Measure | undefined): Measure | null {
  let common = before;
  for (let i = from; i < to; i++) {
    const measure = measureOf(text.slice(starts[i], ends[i]));
    if (measure === null || (common !== undefined && measure !== common)) return null;
    common = measure;
  }
  return common ?? null;
}

function storeFor(valueType: ValueType): TypedStore {
  switch (valueType) {
    case ValueType.STRING:
    case ValueType.BYTES:
      return { valueType, store: new BlobStore() };
    case ValueType.INTEGER:
      return { valueType, store: new NumberStore(2, int64Bounds) };
    case ValueType.DOUBLE:
      return { valueType, store: new NumberStore(2, doubleBounds) };
    case ValueType.BOOL:
      return { valueType, store: new BoolStore() };
  }
}

/** Numbers of eight bytes as their halves, the lower one first. */
export const wordsOf = ({ buffer, byteOffset, length }: BigInt64Array | Float64Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length * 2);
