import protobuf from 'protobufjs/light.js';
import type { INamespace, IType, Type } from 'protobufjs/light.js';

/**
 * The part of the schema of OTLP that is used here: packages `opentelemetry.proto.*` of opentelemetry-proto 1.x, published by the OpenTelemetry Authors
 * under the Apache License 2.0, as a descriptor of protobufjs. Of logs it has everything; of metrics and traces what is taken of them.
 */

/** `optional`: its absence and 0 are two things. */
type FieldKind = readonly [id: number, type: string, rule?: 'repeated' | 'optional'];

const OPTIONS = {
  repeated: { rule: 'repeated' },
  optional: { options: { features: { field_presence: 'EXPLICIT' } } },
} as const;

/** @param oneof names of the fields of which a message has one at most */
function message(fields: Readonly<Record<string, FieldKind>>, oneof?: readonly string[]): IType {
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, [id, type, rule]]) => [name, { id, type, ...(rule === undefined ? {} : OPTIONS[rule]) }]),
    ),
    ...(oneof === undefined ? {} : { oneofs: { value: { oneof: [...oneof] } } }),
  };
}

const VALUES = {
  stringValue: [1, 'string'],
  boolValue: [2, 'bool'],
  intValue: [3, 'int64'],
  doubleValue: [4, 'double'],
  arrayValue: [5, 'ArrayValue'],
  kvlistValue: [6, 'KeyValueList'],
  bytesValue: [7, 'bytes'],
} as const;

const COMMON: Readonly<Record<string, IType>> = {
  AnyValue: message(VALUES, Object.keys(VALUES)),
  ArrayValue: message({ values: [1, 'AnyValue', 'repeated'] }),
  KeyValueList: message({ values: [1, 'KeyValue', 'repeated'] }),
  KeyValue: message({ key: [1, 'string'], value: [2, 'AnyValue'] }),
  InstrumentationScope: message({
    name: [1, 'string'],
    version: [2, 'string'],
    attributes: [3, 'KeyValue', 'repeated'],
    droppedAttributesCount: [4, 'uint32'],
  }),
  Resource: message({ attributes: [1, 'KeyValue', 'repeated'], droppedAttributesCount: [2, 'uint32'] }),
};

const LOGS: Readonly<Record<string, IType>> = {
  ResourceLogs: message({ resource: [1, 'Resource'], scopeLogs: [2, 'ScopeLogs', 'repeated'], schemaUrl: [3, 'string'] }),
  ScopeLogs: message({ scope: [1, 'InstrumentationScope'], logRecords: [2, 'LogRecord', 'repeated'], schemaUrl: [3, 'string'] }),
  LogRecord: message({
    timeUnixNano: [1, 'fixed64'],
    severityNumber: [2, 'int32'],
    severityText: [3, 'string'],
    body: [5, 'AnyValue'],
    attributes: [6, 'KeyValue', 'repeated'],
    droppedAttributesCount: [7, 'uint32'],
    flags: [8, 'fixed32'],
    traceId: [9, 'bytes'],
    spanId: [10, 'bytes'],
    observedTimeUnixNano: [11, 'fixed64'],
    eventName: [12, 'string'],
  }),
  ExportLogsServiceRequest: message({ resourceLogs: [1, 'ResourceLogs', 'repeated'] }),
  ExportLogsServiceResponse: message({ partialSuccess: [1, 'ExportLogsPartialSuccess'] }),
  ExportLogsPartialSuccess: message({ rejectedLogRecords: [1, 'int64'], errorMessage: [2, 'string'] }),
};

const METRICS: Readonly<Record<string, IType>> = {
  Metric: message(
    {
      name: [1, 'string'],
      description: [2, 'string'],
      unit: [3, 'string'],
      gauge: [5, 'Gauge'],
      sum: [7, 'Sum'],
      histogram: [9, 'Histogram'],
      exponentialHistogram: [10, 'ExponentialHistogram'],
      summary: [11, 'Summary'],
    },
    ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'],
  ),
  Gauge: message({ dataPoints: [1, 'NumberDataPoint', 'repeated'] }),
  Sum: message({ dataPoints: [1, 'NumberDataPoint', 'repeated'], aggregationTemporality: [2, 'int32'], isMonotonic: [3, 'bool'] }),
  NumberDataPoint: message(
    {
      startTimeUnixNano: [2, 'fixed64'],
      timeUnixNano: [3, 'fixed64'],
      asDouble: [4, 'double'],
      asInt: [6, 'sfixed64'],
      attributes: [7, 'KeyValue', 'repeated'],
      flags: [8, 'uint32'],
    },
    ['asDouble', 'asInt'],
  ),
  Histogram: message({ dataPoints: [1, 'HistogramDataPoint', 'repeated'], aggregationTemporality: [2, 'int32'] }),
  HistogramDataPoint: message({
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double', 'optional'],
    bucketCounts: [6, 'fixed64', 'repeated'],
    explicitBounds: [7, 'double', 'repeated'],
    attributes: [9, 'KeyValue', 'repeated'],
    flags: [10, 'uint32'],
    min: [11, 'double', 'optional'],
    max: [12, 'double', 'optional'],
  }),
  ExponentialHistogram: message({
    dataPoints: [1, 'ExponentialHistogramDataPoint', 'repeated'],
    aggregationTemporality: [2, 'int32'],
  }),
  ExponentialHistogramDataPoint: message({
    attributes: [1, 'KeyValue', 'repeated'],
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double', 'optional'],
    scale: [6, 'sint32'],
    zeroCount: [7, 'fixed64'],
    positive: [8, 'Buckets'],
    negative: [9, 'Buckets'],
    flags: [10, 'uint32'],
    min: [12, 'double', 'optional'],
    max: [13, 'double', 'optional'],
  }),
  Buckets: message({ offset: [1, 'sint32'], bucketCounts: [2, 'uint64', 'repeated'] }),
  Summary: message({ dataPoints: [1, 'SummaryDataPoint', 'repeated'] }),
  SummaryDataPoint: message({
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    quantileValues: [6, 'ValueAtQuantile', 'repeated'],
    attributes: [7, 'KeyValue', 'repeated'],
    flags: [8, 'uint32'],
  }),
  ValueAtQuantile: message({ quantile: [1, 'double'], value: [2, 'double'] }),
  ExportMetricsServiceResponse: message({ partialSuccess: [1, 'ExportMetricsPartialSuccess'] }),
  ExportMetricsPartialSuccess: message({ rejectedDataPoints: [1, 'int64'], errorMessage: [2, 'string'] }),
};

const TRACES: Readonly<Record<string, IType>> = {
  Span: message({
    traceId: [1, 'bytes'],
    spanId: [2, 'bytes'],
    traceState: [3, 'string'],
    parentSpanId: [4, 'bytes'],
    name: [5, 'string'],
    kind: [6, 'int32'],
    startTimeUnixNano: [7, 'fixed64'],
    endTimeUnixNano: [8, 'fixed64'],
    attributes: [9, 'KeyValue', 'repeated'],
    events: [11, 'Event', 'repeated'],
    links: [13, 'Link', 'repeated'],
    status: [15, 'SpanStatus'],
  }),
  Event: message({ timeUnixNano: [1, 'fixed64'], name: [2, 'string'], attributes: [3, 'KeyValue', 'repeated'] }),
  Link: message({
    traceId: [1, 'bytes'],
    spanId: [2, 'bytes'],
    traceState: [3, 'string'],
    attributes: [4, 'KeyValue', 'repeated'],
  }),
  SpanStatus: message({ message: [2, 'string'], code: [3, 'int32'] }),
  ExportTraceServiceResponse: message({ partialSuccess: [1, 'ExportTracePartialSuccess'] }),
  ExportTracePartialSuccess: message({ rejectedSpans: [1, 'int64'], errorMessage: [2, 'string'] }),
};

/** `google.rpc.Status`, the body of an answer that refuses a request. */
const STATUS: Readonly<Record<string, IType>> = { Status: message({ code: [1, 'int32'], message: [2, 'string'] }) };

const DESCRIPTOR: INamespace = { nested: { ...COMMON, ...LOGS, ...METRICS, ...TRACES, ...STATUS } };
const root = protobuf.Root.fromJSON(DESCRIPTOR);

/** A message type of OTLP. Values are of the shapes in `types.ts`. */
export class OtlpType<T extends object> {
  readonly #type: Type;

  constructor(name: string) {
    this.#type = root.lookupType(name);
  }

  /** @throws {Error} for bytes that are no such message */
  decode(bytes: Uint8Array): T {
    return this.#type.decode(bytes) as unknown as T;
  }

  encode(value: T): Uint8Array {
    return this.#type.encode(value).finish();
  }

  /** Reads a value of OTLP's JSON. Unknown keys are passed over. @throws {Error} for values of other kinds than the schema has */
  fromJson(json: unknown): T {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new TypeError('an object was expected');
    return this.#type.fromObject(json) as unknown as T;
  }
}
