/** OTLP in JSON, with the forms that the collector's file exporter and older collectors write. */
import { describe, expect, test } from 'vitest';
import { decodeAll, decodeWith, type Decoded } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

const NS = '1614949679250123456';
const AT = { Timestamp: NS };
const LOG = { ...AT, Type: 'otlp.log' };
const POINT = { ...AT, Type: 'otlp.metric' };

const logs = (record: unknown, resource: unknown = {}): string =>
  JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: {}, logRecords: [record] }] }] });
const attributes = (values: Record<string, unknown>): unknown => Object.entries(values).map(([key, value]) => ({ key, value }));
const metrics = (metric: Record<string, unknown>): string =>
  JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] });

describe('otlp_json', () => {
  const plugin = startPlugin('decoders/otlp_json.ts', {});
  const VALUES = {
    ...{ list: { arrayValue: { values: [{ intValue: '1' }, { intValue: 2 }] } }, empty: { arrayValue: {} }, none: {} },
    ...{ not: { doubleValue: 'NaN' }, low: { doubleValue: '-Infinity' }, bytes: { bytesValue: 'AQI=' }, yes: { boolValue: true } },
    ...{ big: { intValue: '9223372036854775807' }, map: { kvlistValue: { values: [{ key: 'a', value: { stringValue: '' } }] } } },
    trace_id: { stringValue: 'mine' },
  };
  test.each<[string, string, Decoded[]]>([
    [
      'values of all types',
      logs({ timeUnixNano: NS, attributes: attributes(VALUES) }),
      [
        {
          ...{ ...LOG, list: [1n, 2n], not: NaN, low: -Infinity, bytes: Uint8Array.of(1, 2), yes: true, big: 9223372036854775807n },
          ...{ 'map.a': '', 'attributes.trace_id': 'mine' },
        },
      ],
    ],
    [
      'a header that an attribute holds',
      logs({ timeUnixNano: NS, attributes: attributes({ 'sluicebox.env_version': { stringValue: '2' } }) }),
      [{ ...LOG, EnvVersion: '2' }],
    ],
    ['a time as a number', logs({}).replace('{}]', `{"timeUnixNano":${NS},"eventName":"login"}]`), [{ ...AT, Type: 'login' }]],
    ['names of enumerations', logs({ timeUnixNano: NS, severityNumber: 'SEVERITY_NUMBER_FATAL' }), [{ ...LOG, Severity: 0 }]],
    ['a severity between', logs({ timeUnixNano: NS, severityNumber: 14 }), [{ ...LOG, Severity: 4, severity_number: 14n }]],
    ['a severity of no number', logs({ timeUnixNano: NS, severityText: 'Warning' }), [{ ...LOG, Severity: 4, severity_text: 'Warning' }]],
    ['a severity that there is not', logs({ timeUnixNano: NS, severityNumber: 25 }), [{ ...LOG, severity_number: 25n }]],
    [
      'a list of different types as the body',
      logs({ timeUnixNano: NS, body: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '9223372036854775807' }] } } }),
      [{ ...LOG, body: ['["a",9223372036854775807]', 'json'] }],
    ],
    ['a process', logs({ timeUnixNano: NS }, { attributes: attributes({ 'process.pid': { intValue: 7 } }) }), [{ ...LOG, Pid: 7 }]],
    [
      'a process that is none',
      logs({ timeUnixNano: NS }, { attributes: attributes({ 'process.pid': { intValue: '2147483648' } }) }),
      [{ ...LOG, 'resource.process.pid': 2147483648n }],
    ],
    [
      'a collector of old',
      `{"resourceLogs":[{"instrumentationLibraryLogs":[{"instrumentationLibrary":{"name":"lib"},"logs":[{"timeUnixNano":"${NS}"}]}]}]}`,
      [{ ...LOG, Logger: 'lib' }],
    ],
    [
      'a histogram',
      metrics({
        ...{ name: 'lat', unit: 'ms' },
        histogram: {
          aggregationTemporality: 2,
          dataPoints: [{ timeUnixNano: NS, count: '3', sum: 6.5, max: 4, bucketCounts: ['1', '2'], explicitBounds: [1] }],
        },
      }),
      [
        {
          ...{ ...POINT, metric: 'lat', kind: 'histogram', temporality: 'cumulative', count: 3n, sum: [6.5, 'ms'], max: [4, 'ms'] },
          ...{ bucket_counts: [1n, 2n], explicit_bounds: 1 },
        },
      ],
    ],
    [
      'a summary',
      metrics({ name: 'lat', summary: { dataPoints: [{ timeUnixNano: NS, count: '0', quantileValues: [{ quantile: 1, value: 2 }] }] } }),
      [{ ...POINT, metric: 'lat', kind: 'summary', count: 0n, sum: 0, quantiles: 1, quantile_values: 2 }],
    ],
    ['a point without a value', metrics({ name: 'x', gauge: { dataPoints: [{ timeUnixNano: NS, flags: 1 }, { timeUnixNano: NS }] } }), []],
    ['items that are none', '{"resourceLogs":[5,{"scopeLogs":[null,{"logRecords":"x"}]}]}', []],
  ])('%s', (_title, line, expected) => {
    expect(decodeAll(plugin, line)).toEqual(expected);
  });

  test('decodes what is whole of a line that was cut off', () => {
    const record = { timeUnixNano: NS, body: { stringValue: 'x'.repeat(1000) } };
    const line = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: Array.from({ length: 1500 }, () => record) }] }] });
    const whole = decodeAll(plugin, line.slice(0, 1 << 20));
    expect(whole.length).toBeGreaterThan(950);
    expect(whole.at(-1)).toEqual({ ...LOG, Payload: record.body.stringValue });
    expect(decodeWith(plugin, line.slice(0, 1000))).toBe('refused: no JSON object');
  });
});
