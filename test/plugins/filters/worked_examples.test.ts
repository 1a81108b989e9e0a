import { describe, expect, test } from 'vitest';
import type { Field, PlainMessage, Value } from '../support/message.ts';
import { startPlugin, type RunningPlugin } from '../support/sandbox.ts';

const S = 1_000_000_000n;

function message(seconds: number, fields: Record<string, Value | Value[]>, headers: Partial<PlainMessage> = {}): PlainMessage {
  const Fields: Field[] = Object.entries(fields).map(([name, value]) => ({ name, value: Array.isArray(value) ? value : [value] }));
  return { Timestamp: BigInt(seconds) * S, Fields, ...headers };
}

/** Messages that a tick injects: payload type, payload name, payload. */
function tick(plugin: RunningPlugin, seconds = 0): [type: unknown, name: unknown, payload: string][] {
  return plugin.timer(BigInt(seconds) * S).injected.map(({ Payload = '', Fields }) => [Fields[0]?.value[0], Fields[1]?.value[0], Payload]);
}

/** The rows of a graph without what stands before them. */
function rowsOf(payload: string): string[] {
  const lines = payload.trimEnd().split('\n');
  return lines.slice(lines.findLastIndex((line) => line.startsWith('{')) + 1);
}

describe('http_status', () => {
  test('counts by class', () => {
    const plugin = startPlugin('filters/http_status.ts', { rows: 3 });
    const see = (time: number, status: Value): number => plugin.process(message(time, { status })).rc;
    const codes = (
      [
        [0, 200],
        [1, 204],
        [30, 404],
        [61, 500],
        [62, 99],
        [63, 600],
        [64, '200'],
        [125, 302],
        [-1, 200],
      ] as const
    ).map(([t, s]) => see(t, s));
    expect(codes).toEqual([0, 0, 0, 0, 0, 0, -1, 0, 0]);
    expect(rowsOf(tick(plugin)[0]?.[2] ?? '')).toEqual([
      'nan\t3\tnan\t1\tnan\tnan',
      'nan\tnan\tnan\tnan\t1\t2',
      'nan\tnan\t1\tnan\tnan\tnan',
    ]);
  });

  test('finds anomalies, marks them and sends an alert now and then', () => {
    const config = { rows: 20, alert_throttle: 60, anomaly_config: 'roc("HTTP Status", 2, 3, 0, 2, true, false)' };
    const plugin = startPlugin('filters/http_status.ts', config);
    const start = 1_400_000_400;
    for (let minute = 0; minute < 19; minute++) {
      const hits = minute < 16 ? 10 + (minute % 2) : 30;
      for (let i = 0; i < hits; i++) plugin.process(message(start + minute * 60, { status: 200 }));
    }
    plugin.process(message(start + 1140, { status: 200 }));
    const [alert, graph] = tick(plugin, start + 1140);
    expect(alert).toEqual(['alert', '', 'HTTP Status - algorithm: roc col: 2 msg: detected anomaly, standard deviation exceeds 2']);
    expect(graph?.slice(0, 2)).toEqual(['cbuf', 'HTTP Status']);
    const annotations = { annotations: [expect.objectContaining({ x: 1400001540000, col: 2, shortText: 'A' })] };
    for (const later of [graph, tick(plugin, start + 1150)[0], tick(plugin, start + 1200)[0]]) {
      expect(later?.[0]).toBe('cbuf');
      expect(JSON.parse(later?.[2].split('\n')[0] ?? '')).toEqual(annotations);
    }
    expect(rowsOf(tick(plugin, start + 1200)[0]?.[2] ?? '')).toHaveLength(20);
  });

  test('takes another field, and no configuration that is none', () => {
    const plugin = startPlugin('filters/http_status.ts', { status_field: 'code', rows: 2 });
    expect([plugin.process(message(0, { code: 100 })).rc, plugin.process(message(0, { status: 100 })).reason]).toEqual([
      0,
      'code is not a number',
    ]);
    for (const config of [{ anomaly_config: 'roc' }, { rows: 1 }, { sec_per_row: 0 }, { rows: 'x' }, { preservation_version: -1 }]) {
      expect(() => startPlugin('filters/http_status.ts', config)).toThrow();
    }
  });
});

describe('frequent_items', () => {
  const config = { message_variable: 'Fields[ip]', max_items: 2, min_output_weight: 1 };
  const DAY = 86_400;

  test('keeps the heavy ones', () => {
    const plugin = startPlugin('filters/frequent_items.ts', config);
    for (const ip of 'aabacbccc') plugin.process(message(10 * DAY, { ip }));
    expect(tick(plugin)).toEqual([['tsv', 'Weighting by Fields[ip]', 'Fields[ip]\tWeight\nc\t2\n']]);
    expect(plugin.process(message(9 * DAY, { ip: 'c' })).rc).toBe(0);
    expect(tick(plugin)[0]?.[2]).toContain('c\t2');
    plugin.process(message(11 * DAY, { ip: 'c' }));
    expect(tick(plugin)[0]?.[2]).toBe('Fields[ip]\tWeight\n');
  });

  test('tells numbers from texts, and heavy from heavier', () => {
    const plugin = startPlugin('filters/frequent_items.ts', { ...config, max_items: 9, reset_days: 0 });
    for (const ip of [1, '1', 1, 0.5, '1', '1', 0.5, true, true]) plugin.process(message(0, { ip }));
    expect(tick(plugin)[0]?.[2]).toBe('Fields[ip]\tWeight\n1\t3\n1\t2\n0.5\t2\ntrue\t2\n');
    expect(plugin.process(message(0, { ip: false })).rc).toBe(-1);
  });
});

test('message_schema', () => {
  const plugin = startPlugin('filters/message_schema.ts');
  const see = (headers: Partial<PlainMessage>, ...Fields: Field[]): void => {
    plugin.process({ Timestamp: 0n, ...headers, Fields });
  };
  const L1 = { Logger: 'L1', Type: 'T1', EnvVersion: '1' };
  see(L1, { name: 'a', value: [1] }, { name: 'b', value: ['x'] });
  see(L1, { name: 'a', value: ['x'] });
  see({ Logger: 'L1' }, { name: 'c', value: [true] }, { name: 'd', value: [1], value_type: 2 }, { name: 'e', value: ['x'], value_type: 1 });
  see({ Type: 'T2' }, { name: 'a', value: [1] }, { name: 'a', value: [2] });
  const text = [
    '-no logger- [1]',
    '    T2 [1]',
    '         -no version- [1]',
    '            a (number - optional [2])',
    'L1 [3]',
    '    -no type- [1]',
    '         -no version- [1]',
    '            c (bool)',
    '            d (number)',
    '            e (string)',
    '    T1 [2]',
    '         1 [2]',
    '            a (mismatch)',
    '            b (string - optional [1])',
    '',
  ];
  expect(tick(plugin)[0]?.[2].split('\n').slice(3)).toEqual(text);
});

describe('merging', () => {
  const info = [
    { name: 'Requests', unit: 'count', aggregation: 'sum' },
    { name: 'Peak', unit: 'ms', aggregation: 'max' },
    { name: 'Ver', unit: 'count', aggregation: 'none' },
  ];
  const H = JSON.stringify({ time: 0, rows: 3, columns: 3, seconds_per_row: 60, column_info: info });
  const deltas = (time: number, Hostname: string, ...lines: string[]): PlainMessage =>
    message(time, { payload_type: 'cbufd', payload_name: 'Stats' }, { Hostname, Payload: lines.join('\n') });

  test('cbufd_aggregator', () => {
    const plugin = startPlugin('filters/cbufd_aggregator.ts', { enable_delta: true });
    const codes = [
      deltas(0, 'a', H, '60\t5\t10\t1', '120\t2\tnan\t1', ''),
      deltas(0, 'a', H, '60\t7\t8\t1', ''),
      deltas(0, 'a', 'garbage'),
      deltas(0, 'a', H, ''),
      deltas(0, 'a', '{bad json}', '60\t1', ''),
      deltas(0, 'a', H, '60\t7\t8', ''),
      deltas(0, 'a', H, '60\t1\t1\t1\t1', ''),
      deltas(0, 'a', H, '60\t1e5', ''),
      deltas(0, 'a', H, '60\t1'),
    ].map((entry) => plugin.process(entry).rc);
    expect(codes).toEqual([0, 0, -1, -1, 0, 0, -1, -1, -1]);
    const [cbuf, cbufd] = tick(plugin);
    expect([cbuf?.[0], ...rowsOf(cbuf?.[2] ?? '')]).toEqual(['cbuf', 'nan\tnan\tnan', '20\t10\tnan', '2\tnan\tnan']);
    expect([cbufd?.[0], ...rowsOf(cbufd?.[2] ?? '')]).toEqual(['cbufd', '60\t20\t10\tnan', '120\t2\tnan\tnan']);
    expect(tick(plugin)).toHaveLength(1);
  });

  test('cbufd_host_aggregator', () => {
    const plugin = startPlugin('filters/cbufd_host_aggregator.ts', { max_hosts: 2, rows: 2, host_expiration: 100 });
    plugin.process(deltas(120, 'web-1', H, '60\t5\t10\t1', '120\t2\tnan\t1', ''));
    plugin.process(deltas(121, 'web-2', H, '120\t3\t4\t1', ''));
    const outputs = tick(plugin).map(([, name, payload]) => [name, ...rowsOf(payload)]);
    expect(outputs).toEqual([
      ['Stats (Requests)', '5\tnan', '2\t3'],
      ['Stats (Peak)', '10\tnan', 'nan\t4'],
      ['Stats (Ver)', 'nan\tnan', 'nan\tnan'],
    ]);
    expect(plugin.process(deltas(130, 'web-3', H, '60\t1\t1\t1', ''))).toMatchObject({
      rc: 1,
      reason: 'Error: more than 2 hosts at a time',
    });
    plugin.process(deltas(200, 'web-1', H, '180\t1\t1\t1', ''));
    plugin.process(deltas(230, 'web-3', H, '240\t9\t9\t1', ''));
    const requests = tick(plugin)[0]?.[2] ?? '';
    expect(requests.startsWith('{"options":{"stackedGraph":true,"fillGraph":true}}\n{"time":180,')).toBe(true);
    expect(requests).toContain('"name":"web_1"');
    expect(requests).toContain('"name":"web_3"');
    expect(rowsOf(requests)).toEqual(['1\tnan', 'nan\t9']);
  });

  test.each([{ rows: 2 }, { max_hosts: 2 }, { rows: 2, max_hosts: 0 }])('cbufd_host_aggregator does not start with %o', (config) => {
    expect(() => startPlugin('filters/cbufd_host_aggregator.ts', config)).toThrow();
  });

  test.each([
    '{"rows":3}',
    '[]',
    'null',
    '7',
    JSON.stringify({ rows: 1, columns: 1, seconds_per_row: 60, column_info: info.slice(0, 1) }),
    JSON.stringify({ rows: 2, columns: 2, seconds_per_row: 60, column_info: info }),
    JSON.stringify({ rows: 2, columns: 1, seconds_per_row: 60, column_info: [{ name: 'x', unit: 'y', aggregation: 'avg' }] }),
  ])('a layout that is none: %s', (header) => {
    const plugin = startPlugin('filters/cbufd_aggregator.ts');
    expect(plugin.process(deltas(0, 'a', header, '60\t1', '')).reason).toBe('the payload has no layout');
  });
});

test('process_message_failures', () => {
  const plugin = startPlugin('filters/process_message_failures.ts');
  const report = (minute: number, value: number): void => {
    const Payload = JSON.stringify({ filters: [{ Name: 'f1', ProcessMessageFailures: { value } }, { Name: 'f2' }] });
    expect(plugin.process(message(minute * 60, {}, { Payload })).rc).toBe(0);
  };
  for (let minute = 0; minute < 62; minute++) report(minute, minute < 55 ? 5 : 100 * minute);
  expect(tick(plugin, 59 * 60)).toEqual([]);
  const [alert, ...others] = tick(plugin, 61 * 60);
  expect(alert?.[2]).toMatch(/^f1 - algorithm: mww_nonparametric col: 1 msg: detected anomaly, pstat: \d/);
  expect(others).toEqual([]);
  expect(tick(plugin, 62 * 60)).toEqual([]);
});

test('process_message_failures forgets what the last report does not name, also when two are of the same time', () => {
  const plugin = startPlugin('filters/process_message_failures.ts', { anomaly_config: 'roc("f1", 1, 1, 0, 0, false, true)' });
  const report = (minute: number, Name: string): void => {
    const Payload = JSON.stringify({ filters: [{ Name, ProcessMessageFailures: { value: 5 } }] });
    expect(plugin.process(message(minute * 60, {}, { Payload })).rc).toBe(0);
  };
  report(100, 'f1');
  expect(tick(plugin, 101 * 60)).toHaveLength(1);
  report(102, 'f1');
  report(102, 'f2');
  expect(tick(plugin, 102 * 60)).toEqual([]);
  report(104, 'f1');
  expect(tick(plugin, 105 * 60)).toHaveLength(1);
});

describe('procstat', () => {
  const first = { cpu: [100, 0, 50, 850, 0], ctxt: 1000, softirq: [10, 1, 2], path: 'x' };
  const run = (config: Record<string, Value>, ...readings: Record<string, Value | Value[]>[]): Record<string, unknown> => {
    const plugin = startPlugin('filters/procstat.ts', config);
    const outcomes = readings.map((fields) => plugin.process(message(0, fields)));
    const fields = outcomes.at(-1)?.injected[0]?.Fields ?? [];
    return Object.fromEntries(fields.map(({ name, value }) => [name, value[0]]));
  };

  test('differences', () => {
    const second = { cpu: [130, 0, 60, 900, 10], ctxt: 1500, softirq: [15, 2, 4], path: 'y' };
    const softirq = { softirq_delta_1: 5, softirq_delta_2: 1, softirq_delta_3: 2 };
    expect(run({ extras: true }, first, second)).toMatchObject({ cpu_percent: 50, cpu_delta_ticks: 100, ctxt_delta: 500, ...softirq });
    expect(run({ percent_integer: false }, first, second)).toEqual({ cpu_percent: 0.5 });
  });

  test('without change, or without comparison', () => {
    expect(run({}, first, first)).toEqual({});
    expect(run({ extras: true, whitelist: '^cpu' }, first, first)).toEqual({
      cpu_delta_user: 0,
      cpu_delta_nice: 0,
      cpu_delta_system: 0,
      cpu_delta_idle: 0,
      cpu_delta_iowait: 0,
      cpu_delta_ticks: 0,
    });
    expect(run({ extras: true }, { cpu: [1, 2, 3, 4, 5] }, { cpu: [2, 3, 4, 5] })).toEqual({});
    expect(run({}, first)).toEqual({});
  });

  test('rounds halves down', () => {
    expect(run({}, { cpu: [0, 0, 0, 0] }, { cpu: [1, 0, 0, 7] })).toEqual({ cpu_percent: 12 });
  });
});

test.each([
  [{ stats: 'a b', stat_labels: 'a' }, '2 stats, but 1 stat_labels'],
  [{ stats: 'a', stat_labels: 'a', stat_aggregation: 'avg' }, 'stat_aggregation'],
  [{ stats: 'a' }, 'missing parameter: stat_labels'],
  [{ stat_labels: 'a' }, 'missing parameter: stats'],
])('stat_graph does not start with %o', (config, reason) => {
  expect(() => startPlugin('filters/stat_graph.ts', config)).toThrow(reason);
});

test('diskstats makes its rates anew when the interval changes', () => {
  const plugin = startPlugin('filters/diskstats.ts', { rows: 2 });
  const counters = ['WritesCompleted', 'ReadsCompleted', 'SectorsWritten', 'SectorsRead', 'WritesMerged', 'ReadsMerged'];
  const times = ['TimeWriting', 'TimeReading', 'TimeDoingIO', 'WeightedTimeDoingIO'];
  const reading = (time: number, value: number, TickerInterval: number): number =>
    plugin.process(message(time, { ...Object.fromEntries([...counters, ...times].map((name) => [name, value])), TickerInterval })).rc;
  expect(tick(plugin)).toEqual([]);
  expect([reading(0, 1, 5), reading(5, 3, 5), reading(10, 9, 10), reading(10, 9, 0)]).toEqual([0, 0, 0, -1]);
  const rates = tick(plugin).find(([, name]) => name === 'Disk Stats')?.[2] ?? '';
  expect(rates).toContain('"seconds_per_row":10,');
  expect(rates).toContain('"per_10_"');
  expect(rowsOf(rates)).toEqual(['nan\tnan\tnan\tnan\tnan\tnan', '6\t6\t6\t6\t6\t6']);
});
