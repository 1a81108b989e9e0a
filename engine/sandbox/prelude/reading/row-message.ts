/** Values of one field, all of one type. Integers are BigInts, bools numbers. */
export type RowValue = string | Uint8Array | bigint | number;

export interface RowField {
  name: string;
  representation: string | null;
  /** A number of `ValueType`. */
  type: number;
  values: RowValue[];
}

/** One message that is not in columns: a row that is being rewritten, or a table that is being injected. null: unset. */
export interface RowMessage {
  uuid: Uint8Array | null;
  timestamp: bigint;
  type: string | null;
  logger: string | null;
  payload: string | null;
  envVersion: string | null;
  hostname: string | null;
  severity: number | null;
  pid: number | null;
  fields: RowField[];
}

export const STRING = 0;
export const BYTES = 1;
export const INTEGER = 2;
export const DOUBLE = 3;
export const BOOL = 4;

export function newRowMessage(timestamp: bigint): RowMessage {
  return {
    uuid: null,
    timestamp,
    type: null,
    logger: null,
    payload: null,
    envVersion: null,
    hostname: null,
    severity: null,
    pid: null,
    fields: [],
  };
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
