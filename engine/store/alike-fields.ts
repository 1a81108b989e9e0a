import type { MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn, TextValues } from '../message/batch/columns.ts';
import { backingOf, textValues } from '../message/latin-text.ts';
import { ValueType } from '../message/types.ts';

/** Fields that have the same value in all records, by name, with that value as text. undefined: none of the records was decoded. */
export type AlikeFields = ReadonlyMap<string, string> | undefined;

/** Characters of a value from which on it is not remembered. */
const MOST_CHARACTERS = 200;

/** The fields that have one and the same value in all rows but some. Lists and bytes are left out. @param except rows that were refused, which have other fields */
export function alikeFields({ fields, length }: MessageBatch, except: ReadonlySet<number>): AlikeFields {
  const left = length - except.size;
  if (left === 0) return undefined;
  const alike = new Map<string, string>();
  const names = new Set<string>();
  for (const field of fields) {
    const value = names.has(field.name) ? null : sharedValue(field, left, except);
    // A second column of a name holds further values of the same field.
    if (value === null) alike.delete(field.name);
    else alike.set(field.name, value);
    names.add(field.name);
  }
  return alike;
}

/** The fields that are alike in two parts, and of the same value. */
export function alikeInBoth(a: AlikeFields, b: AlikeFields): AlikeFields {
  if (a === undefined || a === b) return b;
  if (b === undefined) return a;
  const both = [...a].filter(([name, value]) => b.get(name) === value);
  return both.length === a.size ? a : new Map(both);
}

/** The value of all entries but those of some rows; null: they differ, or not all rows have one. */
function sharedValue(field: FieldColumn, left: number, except: ReadonlySet<number>): string | null {
  const { rows, offsets, valueType } = field;
  const count = rows?.length ?? left + except.size;
  if (offsets !== null || count < left || valueType === ValueType.BYTES) return null;
  const entries = except.size === 0 ? null : entriesBeside(rows, count, except);
  if ((entries?.length ?? count) !== left) return null;
  if (valueType === ValueType.STRING) return sharedText(picked(field.values, entries), left);
  const at = (i: number): number => (entries === null ? i : (entries[i] as number));
  const value = field.values[at(0)];
  for (let i = left - 1; i > 0; i--) if (field.values[at(i)] !== value) return null;
  return valueType === ValueType.BOOL ? String(value === 1) : Number.isNaN(value) ? null : String(value);
}

function entriesBeside(rows: Uint32Array | null, count: number, except: ReadonlySet<number>): Uint32Array {
  return Uint32Array.from({ length: count }, (_, entry) => entry).filter((entry) => !except.has(rows?.[entry] ?? entry));
}

function picked(values: TextValues, entries: Uint32Array | null): TextValues {
  if (entries === null) return values;
  const { starts, ends } = values;
  const of = (places: Uint32Array): Uint32Array => entries.map((entry) => places[entry] as number);
  return textValues(backingOf(values), of(starts), of(ends));
}

/** The text of the first values, if all of them are the same. Most columns that differ at all do so in their lengths, or in their last value. */
function sharedText(values: TextValues, count: number): string | null {
  const { starts, ends, latin } = values;
  const length = (ends[0] as number) - (starts[0] as number);
  if (length > MOST_CHARACTERS) return null;
  for (let i = count - 1; i > 0; i--) if ((ends[i] as number) - (starts[i] as number) !== length) return null;
  if (latin !== undefined)
    return sameBytes(latin.bytes, starts, count, length) ? latin.slice(starts[0] as number, ends[0] as number) : null;
  const { text } = values;
  const value = text.slice(starts[0], ends[0]);
  for (let i = count - 1; i > 0; i--) if (!text.startsWith(value, starts[i])) return null;
  return value;
}

function sameBytes(bytes: Uint8Array, starts: Uint32Array, count: number, length: number): boolean {
  const first = starts[0] as number;
  for (let i = count - 1; i > 0; i--) {
    const start = starts[i] as number;
    for (let j = 0; j < length; j++) if (bytes[start + j] !== bytes[first + j]) return false;
  }
  return true;
}
