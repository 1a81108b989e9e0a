import type { MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn } from '../message/batch/columns.ts';
import { ValueType } from '../message/types.ts';
import type { SlotSummary } from './kept-summaries.ts';
import { millisecondsOf } from './times.ts';
import { fieldName, isStatusName, ownText, valueReader, type ValueReader } from './values.ts';
import type { ViewEntry } from './view-entry.ts';

/** Values that are counted separately in one segment. */
const MOST_NAMES = 64;
const LONGEST_NAME = 200;
/** Cells for which there is room at once. */
const MOST_CELLS = 1 << 17;

/** Names of the rows without a value, and of the values that are not counted separately. */
export const NONE = '\u0000none';
export const OTHER = '\u0000other';

/** Records of an entry by slot of time and by value. */
export interface ValueSummary extends SlotSummary {
  readonly names: readonly string[];
  /** Pairs: (slot − firstSlot) · number of names + index of the name, and the count. */
  readonly cells: ArrayLike<number>;
}

/** Whether a name of a summary is a class of HTTP statuses. */
export const isClass = (by: string, name: string): boolean => isStatus(by) && CLASS_NAMES.includes(name);

/** HTTP statuses are told apart by their class. */
const isStatus = (by: string): boolean => isStatusName(fieldName(by));

/** Counts the rows of an entry by slots of time and by the values of a variable. */
export function summariseValues(stored: MessageBatch, entry: ViewEntry, by: string, { slotMs, firstSlot }: SlotSummary): ValueSummary {
  const { rows, count, segment } = entry;
  const { names, codes } = namesOf(stored, entry, by);
  const times = millisecondsOf(stored.timestamps);
  const cells = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const time = times[rows === null ? i : (rows[i] as number)] as number;
    cells[i] = (Math.floor(time / slotMs) - firstSlot) * names.length + (codes[i] as number);
  }
  const size = (Math.floor(segment.maxTime / slotMs) - firstSlot + 1) * names.length;
  return { slotMs, firstSlot, names, cells: size <= MOST_CELLS ? pairsOf(cells, size) : pairsOfMany(cells) };
}

/** Calls back for each slot, counted from the first one, and name that a summary has records of. @param visit gets the index of the name */
export function eachCell({ names: { length }, cells }: ValueSummary, visit: (slot: number, name: number, count: number) => void): void {
  for (let i = 0; i < cells.length; i += 2) {
    const cell = cells[i] as number;
    visit(Math.floor(cell / length), cell % length, cells[i + 1] as number);
  }
}

interface Named {
  readonly names: readonly string[];
  /** For each row of the entry, the index of its name. */
  readonly codes: Uint8Array;
}

function namesOf(stored: MessageBatch, entry: ViewEntry, by: string): Named {
  if (!isStatus(by)) return namesOfTexts(valueReader(stored, by), entry);
  const columns = stored.fields.filter(({ name }) => name === fieldName(by));
  return columns.every(isPlainNumber)
    ? classesOf(columns, stored.length, entry)
    : namesOfTexts(classReader(valueReader(stored, by)), entry);
}

type NumberColumn = FieldColumn & { readonly valueType: 2 | 3 };

const isPlainNumber = (column: FieldColumn): column is NumberColumn =>
  column.offsets === null && (column.valueType === ValueType.DOUBLE || column.valueType === ValueType.INTEGER);

/** The classes of the statuses 100 to 599 by their first digit. */
const CLASS_NAMES = [NONE, '1xx', '2xx', '3xx', '4xx', '5xx', OTHER];
const OTHER_CLASS = CLASS_NAMES.indexOf(OTHER);

function classesOf(columns: readonly NumberColumn[], length: number, { rows, count }: ViewEntry): Named {
  const codes = new Uint8Array(length);
  // The first of several fields counts.
  for (const column of columns.toReversed()) {
    const { values } = column;
    for (let i = 0; i < values.length; i++) {
      const status = Number(values[i]);
      const isCode = status >= 100 && status < 600 && Number.isInteger(status);
      codes[column.rows === null ? i : (column.rows[i] as number)] = isCode ? Math.floor(status / 100) : OTHER_CLASS;
    }
  }
  return { names: CLASS_NAMES, codes: rows === null ? codes : Uint8Array.from({ length: count }, (_, i) => codes[rows[i] as number] ?? 0) };
}

/** Texts that are no codes, such as the status of an order, stay themselves. */
function classReader(read: ValueReader): ValueReader {
  return (row) => {
    const value = read(row);
    return value !== null && /^[1-5]\d\d$/.test(value) ? `${value.charAt(0)}xx` : value;
  };
}

function namesOfTexts(read: ValueReader, { rows, count }: ViewEntry): Named {
  const index = new Map<string, number>();
  const codes = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const value = read(rows === null ? i : (rows[i] as number)) ?? NONE;
    const name = value.length > LONGEST_NAME || (index.size >= MOST_NAMES && !index.has(value)) ? OTHER : value;
    let code = index.get(name);
    if (code === undefined) index.set(ownText(name), (code = index.size));
    codes[i] = code;
  }
  return { names: [...index.keys()], codes };
}

/** Room for the counts of cells. It is empty between two uses. */
let room = new Uint32Array(0);

function pairsOf(cells: Float64Array, size: number): Uint16Array | Uint32Array {
  if (room.length < size) room = new Uint32Array(size);
  const counts = room;
  let used = 0;
  for (const cell of cells) {
    if (counts[cell] === 0) used++;
    (counts[cell] as number)++;
  }
  const pairs = size <= 0x1_0000 && cells.length < 0x1_0000 ? new Uint16Array(used * 2) : new Uint32Array(used * 2);
  let at = 0;
  for (let cell = 0; cell < size && at < pairs.length; cell++) {
    const count = counts[cell] as number;
    if (count === 0) continue;
    pairs[at++] = cell;
    pairs[at++] = count;
  }
  counts.fill(0, 0, size);
  return pairs;
}

/** The same for more cells than there could be room for. */
function pairsOfMany(cells: Float64Array): Float64Array {
  cells.sort();
  const pairs: number[] = [];
  for (const cell of cells) {
    if (pairs.at(-2) !== cell) pairs.push(cell, 0);
    (pairs[pairs.length - 1] as number)++;
  }
  return Float64Array.from(pairs);
}
