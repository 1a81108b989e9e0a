/**
 * The message model: one message as a plain object. Everything that handles a single message (tests, the headless
 * command, the inspector) uses this form; everything that handles many uses `MessageBatch`.
 */

import type { IntHeader, TextHeader } from '../api/headers.ts';

/** The five value arrays of a field, one of which is in use; the numbers are those of the wire format. */
export const ValueType = { STRING: 0, BYTES: 1, INTEGER: 2, DOUBLE: 3, BOOL: 4 } as const;
export type ValueType = (typeof ValueType)[keyof typeof ValueType];

interface FieldBase<T extends ValueType, V> {
  readonly name: string;
  readonly valueType: T;
  /** Metadata for display (`B`, `s`, `ipv4` …). Absent or undefined is not the same as the empty string. */
  readonly representation?: string | undefined;
  /** All values, possibly none. */
  readonly values: readonly V[];
}

type StringField = FieldBase<0, string>;
type BytesField = FieldBase<1, Uint8Array>;
type IntegerField = FieldBase<2, bigint>;
type DoubleField = FieldBase<3, number>;
type BoolField = FieldBase<4, boolean>;
export type Field = StringField | BytesField | IntegerField | DoubleField | BoolField;

/** Headers that a message can be without. One that is absent or undefined is unset, which is not the same as empty or zero. */
export type OptionalHeaders = { readonly [H in TextHeader]?: string | undefined } & { readonly [H in IntHeader]?: number | undefined };

/** One message. */
export interface Message extends OptionalHeaders {
  /** 16 bytes (RFC 9562 version 4 when generated here). */
  readonly uuid: Uint8Array;
  /** Nanoseconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: bigint;
  /** In message order; names may repeat. */
  readonly fields: readonly Field[];
}

/** Values of the headers that a message can be without, in the order of their table. */
export type HeaderValues = (string | number | undefined)[];

/** The headers of a message as a list. Written out, like its reverse: access by computed names takes several times as long. */
export const headerValues = (message: OptionalHeaders): HeaderValues => [
  message.type,
  message.logger,
  message.severity,
  message.payload,
  message.envVersion,
  message.pid,
  message.hostname,
];

/** The message that has these values. */
export function messageOf(uuid: Uint8Array, timestamp: bigint, values: HeaderValues, fields: readonly Field[]): Message {
  const message: Required<Message> = {
    uuid,
    timestamp,
    type: values[0] as string | undefined,
    logger: values[1] as string | undefined,
    severity: values[2] as number | undefined,
    payload: values[3] as string | undefined,
    envVersion: values[4] as string | undefined,
    pid: values[5] as number | undefined,
    hostname: values[6] as string | undefined,
    fields,
  };
  return message;
}

/** The clock that moves the tickers of a pipeline: the wall clock, or the timestamps of the messages. */
export type ClockKind = 'wall' | 'message';
