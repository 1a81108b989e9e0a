import { describe, expect, it } from 'vitest';
import { jsonEntries, LOGS, METRICS, protobufEntries, type Entry } from '../../../engine/otlp/entries.ts';
import { bigintOf, type LogRecord, type Metric } from '../../../engine/otlp/types.ts';
import { request } from './fixtures.ts';

/** Origins and bodies of all records. */
const shown = (entries: Iterable<Entry<LogRecord>>): unknown[] =>
  Array.from(entries, ({ origin: { resource, resourceSchemaUrl, scope, scopeSchemaUrl }, items }) => [
    resource.attributes?.length ?? 0,
    resourceSchemaUrl,
    scope.name ?? '',
    scopeSchemaUrl,
    Array.from(items, (item) => item?.body?.stringValue ?? null),
  ]);

const REQUEST = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'a', value: { stringValue: 'b' } }] },
      schemaUrl: 'r',
      scopeLogs: [
        { scope: { name: 's1' }, schemaUrl: 'u', logRecords: [{ body: { stringValue: 'x' } }, { body: { stringValue: 'y' } }] },
        { logRecords: [] },
      ],
    },
    { scopeLogs: [{ logRecords: [{ body: { stringValue: 'z' } }] }] },
  ],
};
const EXPECTED = [
  [1, 'r', 's1', 'u', ['x', 'y']],
  [1, 'r', '', '', []],
  [0, '', '', '', ['z']],
];

describe('the parts of a request', () => {
  it('are the same in both forms', () => {
    expect(shown(jsonEntries(JSON.stringify(REQUEST), LOGS))).toEqual(EXPECTED);
    expect(shown(protobufEntries(request.encode(REQUEST), LOGS))).toEqual(EXPECTED);
  });

  it('leave out a record that is too large to be read', () => {
    const large = {
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'x'.repeat(1 << 20) } }, { body: { stringValue: 'y' } }] }] }],
    };
    expect(shown(protobufEntries(request.encode(large), LOGS))).toEqual([[0, '', '', '', [null, 'y']]]);
  });

  it('are none of a resource that is too large', () => {
    const large = { resourceLogs: [{ resource: { attributes: [{ key: 'x'.repeat(1 << 20), value: {} }] }, scopeLogs: [] }] };
    expect(() => shown(protobufEntries(request.encode(large), LOGS))).toThrow('a resource or scope of');
  });
});

describe('JSON', () => {
  const record = (json: string): LogRecord => {
    const [entry] = jsonEntries(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${json}]}]}]}`, LOGS);
    const [item] = entry?.items ?? [];
    return item as LogRecord;
  };

  it('has ids in hexadecimal, names of severities and long integers as numbers', () => {
    const read = record('{"traceId":"00ff","spanId":"xyz","severityNumber":"SEVERITY_NUMBER_WARN","timeUnixNano":1614949679000000001}');
    expect([...(read.traceId ?? [])]).toEqual([0, 255]);
    expect(read.spanId).toHaveLength(0);
    expect(read.severityNumber).toBe(13);
    expect(read.timeUnixNano && bigintOf(read.timeUnixNano)).toBe(1614949679000000001n);
  });

  it('has names of temporalities', () => {
    const text =
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","sum":{"aggregationTemporality":"AGGREGATION_TEMPORALITY_DELTA"}}]}]}]}';
    const metrics = Array.from(jsonEntries(text, METRICS), ({ items }) => [...items] as Metric[]).flat();
    expect(metrics.map(({ name, sum }) => [name, sum?.aggregationTemporality])).toEqual([['a', 1]]);
  });

  it.each(['', '[]', '7', '{"resourceLogs":{}}', '{"resourceLogs":[7]}', '{"resourceLogs":[{"scopeLogs":[{"logRecords":[null]}]}]}'])(
    '%j is no request',
    (text) => expect(() => shown(jsonEntries(text, LOGS))).toThrow(),
  );
});
