/** The values of OTLP as protobufjs has them: a key is there when the field was on the wire. */

/** 64 bits. */
export interface Int64 {
  readonly low: number;
  readonly high: number;
}

export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: Int64;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values?: readonly AnyValue[] };
  readonly kvlistValue?: { readonly values?: readonly KeyValue[] };
  readonly bytesValue?: Uint8Array;
}

export interface KeyValue {
  readonly key?: string;
  readonly value?: AnyValue | null;
}

export interface Resource {
  readonly attributes?: readonly KeyValue[];
  readonly droppedAttributesCount?: number;
}

export interface Scope extends Resource {
  readonly name?: string;
  readonly version?: string;
}

export interface LogRecord {
  readonly timeUnixNano?: Int64;
  readonly observedTimeUnixNano?: Int64;
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly body?: AnyValue | null;
  readonly attributes?: readonly KeyValue[];
  readonly droppedAttributesCount?: number;
  readonly flags?: number;
  readonly traceId?: Uint8Array;
  readonly spanId?: Uint8Array;
  readonly eventName?: string;
}

interface ScopeLogs {
  readonly scope?: Scope;
  readonly logRecords: readonly LogRecord[];
  readonly schemaUrl?: string;
}

export interface ResourceLogs {
  readonly resource?: Resource;
  readonly scopeLogs: readonly ScopeLogs[];
  readonly schemaUrl?: string;
}

/** The resource and the scope that records come from. */
export interface Origin {
  readonly resource: Resource;
  readonly resourceSchemaUrl: string;
  readonly scope: Scope;
  readonly scopeSchemaUrl: string;
}

export const int64 = (value: bigint): Int64 => ({
  low: Number(BigInt.asIntN(32, value)),
  high: Number(BigInt.asIntN(32, value >> 32n)),
});

/** A signed integer. */
export const bigintOf = ({ low, high }: Int64): bigint => (BigInt(high | 0) << 32n) | BigInt(low >>> 0);
