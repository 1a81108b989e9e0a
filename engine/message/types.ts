/**
 * The message model: one message as a plain object. Everything that handles a single message (tests, the headless
 * command, the inspector) uses this form; everything that handles many uses `MessageBatch`.
 */

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

/** One message. A header that is absent or undefined is unset, which is not the same as empty or zero. */
export interface Message {
  /** 16 bytes (RFC 9562 version 4 when generated here). */
  readonly uuid: Uint8Array;
  /** Nanoseconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: bigint;
  readonly type?: string | undefined;
  readonly logger?: string | undefined;
  readonly severity?: number | undefined;
  readonly payload?: string | undefined;
  readonly envVersion?: string | undefined;
  readonly pid?: number | undefined;
  readonly hostname?: string | undefined;
  /** In message order; names may repeat. */
  readonly fields: readonly Field[];
}

/** The severity that an unset one is read as by matchers and displays (syslog "debug"). */
export const DEFAULT_SEVERITY = 7;

/** The clock that moves the tickers of a pipeline: the wall clock, or the timestamps of the messages. */
export type ClockKind = 'wall' | 'message';
