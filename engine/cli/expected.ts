import { isDeepStrictEqual } from 'node:util';
import { ALL_HEADERS, headerNamed } from '../api/headers.ts';
import { messageOf as messageFrom } from '../message/json/json-parse.ts';
import type { Field, Message } from '../message/types.ts';

/** Timestamp of test messages that name none, in nanoseconds: 2021-01-01T00:00:00Z. */
export const MADE_AT = '1609459200000000000';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields compared when a test names any: all of them with their types, or only the named ones by their values. */
export type Strictness = 'all fields' | 'named fields';

/** Compares the headers that the test names, and fields when it names any; the order of fields does not count. */
export function matches(expected: unknown, message: Message, strictness: Strictness = 'all fields'): boolean {
  if (typeof expected === 'string') return message.payload === expected;
  if (!isRecord(expected)) return false;
  const wanted = messageFrom(expected);
  if (differingHeaders(expected, message, wanted).length > 0) return false;
  if (!('Fields' in expected)) return true;
  if (strictness === 'all fields') return isDeepStrictEqual(sorted(message.fields), sorted(wanted.fields));
  return wanted.fields.every((field) => message.fields.some((other) => isOf(other, field)));
}

function differingHeaders(expected: Record<string, unknown>, message: Message, wanted: Message): string[] {
  const headers = Object.keys(expected).flatMap((name) => headerNamed(name) ?? []);
  return headers.filter(({ member }) => !isDeepStrictEqual(message[member], wanted[member])).map(({ name }) => name);
}

/** Names the headers and, when the test names any field, the fields in which a message differs from what a test expects of it. */
export function differing(expected: unknown, message: Message): string[] {
  if (!isRecord(expected)) return [];
  const wanted = messageFrom(expected);
  const headers = differingHeaders(expected, message, wanted);
  if (!('Fields' in expected)) return headers;
  const names = [...new Set([...wanted.fields, ...message.fields].map(({ name }) => name))].sort();
  const named = (fields: readonly Field[], name: string): unknown[] => sorted(fields.filter((field) => field.name === name));
  const fields = names.filter((name) => !isDeepStrictEqual(named(message.fields, name), named(wanted.fields, name)));
  return [...headers, ...fields.map((name) => `Fields[${name}]`)];
}

/** Tells whether a field equals the one that a test names, in values and, where given, representation. Integers equal numbers. */
function isOf(field: Field, { name, representation, values }: Field): boolean {
  const numeric = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
  return (
    field.name === name &&
    (representation === undefined || (field.representation ?? '') === representation) &&
    isDeepStrictEqual([...field.values].map(numeric), [...values].map(numeric))
  );
}

/** Fields sorted by name in one form, to be compared. */
function sorted(fields: readonly Field[]): unknown[] {
  const plain = fields.map(({ name, valueType, representation = '', values }) => ({
    name,
    valueType,
    representation,
    values: [...values],
  }));
  return plain.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

// The types of the library do not have it yet.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Formats messages or texts as JSON for a report, integers with all their digits. @param longest characters shown of each text */
export function shown(items: readonly unknown[], longest = Infinity): string {
  return JSON.stringify(items.map(plain), (_key, value: unknown) => {
    if (typeof value === 'bigint') return rawJSON(String(value));
    return typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value;
  });
}

/** A message in the form that tests are written in. */
function plain(message: unknown): unknown {
  if (!isRecord(message) || !('fields' in message)) return message;
  const { uuid: _uuid, timestamp, fields, ...others } = message as unknown as Message;
  const headers = { timestamp: String(timestamp), ...others };
  const names = new Map<string, string>(ALL_HEADERS.map(({ member, name }) => [member, name]));
  return {
    ...Object.fromEntries(Object.entries(headers).map(([member, value]) => [names.get(member) ?? member, value])),
    Fields: Object.fromEntries(
      fields.map(({ name, representation, values }) => [name, representation === undefined ? values : { value: values, representation }]),
    ),
  };
}
