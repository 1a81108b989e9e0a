import { OPTIONAL_HEADERS, type OptionalHeader } from '../../../api/headers.ts';
import { headerValues, type HeaderValues } from '../../../message/types.ts';

/** Values of one field, all of one type. Integers are BigInts, bools numbers. */
export type RowValue = string | Uint8Array | bigint | number;

export interface RowField {
  name: string;
  representation: string | null;
  /** A number of `ValueType`. */
  type: number;
  values: RowValue[];
}

/** One message that is not in columns: a row that is being rewritten, or a table that is being injected. null: it has no uuid. */
export interface RowMessage {
  uuid: Uint8Array | null;
  timestamp: bigint;
  headers: HeaderValues;
  fields: RowField[];
}

const NOTHING = {};
const placeOf = (member: OptionalHeader['member']): number => OPTIONAL_HEADERS.findIndex((header) => header.member === member);

/** Places of headers in the list of their values. */
export const TYPE = placeOf('type');
export const LOGGER = placeOf('logger');
export const PAYLOAD = placeOf('payload');
export const HOSTNAME = placeOf('hostname');
export const SEVERITY = placeOf('severity');
export const PID = placeOf('pid');

const places = new Map<string, number>(OPTIONAL_HEADERS.map(({ name }, i) => [name, i]));

/** The place of the header of a name; undefined: there is none, or messages always have it. */
export const headerPlace = (name: string): number | undefined => places.get(name);

/** Whether the header at a place is text. */
export const isText: readonly boolean[] = OPTIONAL_HEADERS.map(({ kind }) => kind === 'text');

/** Headers that a decoder did not set come from the message that it decodes. */
export function inheritHeaders(headers: HeaderValues, source: HeaderValues): void {
  for (let i = 0; i < isInherited.length; i++) if (isInherited[i] === true) headers[i] ??= source[i];
}

export const isInherited: readonly boolean[] = OPTIONAL_HEADERS.map(({ inherited }) => inherited === true);

export const STRING = 0;
export const BYTES = 1;
export const INTEGER = 2;
export const DOUBLE = 3;
export const BOOL = 4;

export function newRowMessage(timestamp: bigint): RowMessage {
  return { uuid: null, timestamp, headers: headerValues(NOTHING), fields: [] };
}

/** A value as scripts see it; an empty byte value is null. */
export function scriptValue(field: RowField, index: number): string | number | boolean | Uint8Array | null {
  const value = field.values[index];
  if (value === undefined) return null;
  switch (field.type) {
    case BYTES:
      return (value as Uint8Array).length === 0 ? null : (value as Uint8Array);
    case INTEGER:
      return Number(value);
    case BOOL:
      return value !== 0;
    default:
      return value as string | number;
  }
}
