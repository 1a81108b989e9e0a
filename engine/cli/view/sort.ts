import { headerNamed } from '../../api/headers.ts';
import { fieldAt, intAt, textAt, type MessageBatch } from '../../message/batch/batch.ts';
import type { Shown } from './around.ts';

/** A field or a header by which records are put in order. */
export interface SortKey {
  readonly name: string;
  /** The greatest value comes first. */
  readonly isDescending: boolean;
}

type Value = number | bigint | string | null;

export function sortKeyOf(text: string): SortKey {
  const [, name = text, order] = /^(.+?):(asc|desc)$/.exec(text) ?? [];
  return { name, isDescending: order === 'desc' };
}

/** Records that are held beyond those that are wanted before they are put in order. */
const ROOM = 4096;
const texts = new Intl.Collator('en', { numeric: true });

/**
 * The records by the values of a field: numbers by their size, then texts, and last of all, in either order, those that have none. Of equal ones the first comes first.
 * @param most that are wanted, so that no more need to be held; null: all
 */
export async function* sortedBy(
  pages: AsyncIterable<Shown[]>,
  { name, isDescending }: SortKey,
  most: number | null,
): AsyncGenerator<Shown[]> {
  let held: { readonly shown: Shown; readonly value: Value }[] = [];
  const put = (): void => {
    held.sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return isDescending ? compare(b.value, a.value) : compare(a.value, b.value);
    });
    if (most !== null) held = held.slice(0, most);
  };
  for await (const page of pages) {
    for (const shown of page) held.push({ shown: { ...shown, isApart: false }, value: valueOf(shown.part.batch, shown.row, name) });
    if (most !== null && held.length > most + ROOM) put();
  }
  put();
  for (let from = 0; from < held.length; from += ROOM) yield held.slice(from, from + ROOM).map(({ shown }) => shown);
}

function compare(a: Exclude<Value, null>, b: Exclude<Value, null>): number {
  if (typeof a === 'string' && typeof b === 'string') return texts.compare(a, b);
  if (typeof a === 'string' || typeof b === 'string') return typeof a === 'string' ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function valueOf(batch: MessageBatch, row: number, name: string): Value {
  const column = batch.fields.find((one) => one.name === name && fieldAt(one, row) !== undefined);
  const value = column === undefined ? undefined : fieldAt(column, row)?.values[0];
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return value;
  if (value !== undefined) return String(value);
  const header = headerNamed(name);
  if (name === 'time' || header?.kind === 'time') return batch.timestamps[row] as bigint;
  if (name === 'level') return intAt(batch.severity, row) ?? null;
  if (header?.kind === 'text') return textAt(batch[header.member], row) ?? null;
  return header?.kind === 'int' ? (intAt(batch[header.member], row) ?? null) : null;
}
