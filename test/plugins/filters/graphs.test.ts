/** Common behaviour of all filters that draw a graph: its layout, its ticks, its alerts. */
import { describe, expect, test } from 'vitest';
import { plainMessage, type PlainMessage, type Value } from '../support/message.ts';
import { parseGraph } from '../support/payloads.ts';
import { startPlugin, type RunningPlugin } from '../support/sandbox.ts';

type Column = readonly [name: string, unit: string, aggregation: string];

interface GraphFilter {
  readonly plugin: string;
  readonly config?: Record<string, Value>;
  readonly title: string;
  readonly columns: readonly Column[];
  /** Rows and their seconds without parameters. */
  readonly layout?: readonly [rows: number, seconds: number];
  /** A message with the value in the first column. */
  readonly message: (second: number, value: number) => InjectMessage;
}

const columns = (unit: string, aggregation: string, ...names: string[]): Column[] => names.map((name) => [name, unit, aggregation]);
const numbers =
  (...names: string[]): GraphFilter['message'] =>
  (second, value) => ({ Timestamp: second * 1e9, Fields: Object.fromEntries(names.map((name) => [name, value])) });

const FILTERS: readonly GraphFilter[] = [
  {
    plugin: 'http_status',
    title: 'HTTP Status',
    columns: columns('count', 'sum', 'HTTP_100', 'HTTP_200', 'HTTP_300', 'HTTP_400', 'HTTP_500', 'HTTP_UNKNOWN'),
    message: (second) => ({ Timestamp: second * 1e9, Fields: { status: 100 } }),
  },
  {
    plugin: 'loadavg',
    title: 'LoadAvg Stats',
    columns: columns('Count', 'max', '1MinAvg', '5MinAvg', '15MinAvg', 'NumProcesses'),
    message: numbers('1MinAvg', '5MinAvg', '15MinAvg', 'NumProcesses'),
  },
  {
    plugin: 'memstats',
    title: 'Memory Stats',
    columns: columns('Count', 'max', 'MemFree', 'Cached', 'Active', 'Inactive', 'VmallocUsed', 'Shmem', 'SwapCached'),
    message: numbers('MemFree', 'Cached', 'Active', 'Inactive', 'VmallocUsed', 'Shmem', 'SwapCached'),
  },
  {
    plugin: 'mysql_slow_query',
    title: 'Statistics',
    columns: [
      ...columns('s', 'none', 'Query_Time', 'Lock_Time'),
      ...columns('count', 'none', 'Rows_Examined', 'Rows_Sent'),
      ['Count', 'count', 'sum'],
    ],
    message: numbers('Query_time', 'Lock_time', 'Rows_examined', 'Rows_sent'),
  },
  {
    plugin: 'svc_memstat',
    title: 'Stats',
    columns: [...columns('B', 'max', 'HeapSys', 'HeapAlloc', 'HeapIdle', 'HeapInuse', 'HeapReleased'), ['HeapObjects', 'count', 'max']],
    message: numbers('HeapSys', 'HeapAlloc', 'HeapIdle', 'HeapInuse', 'HeapReleased', 'HeapObjects'),
  },
  {
    plugin: 'stat_graph',
    config: { stats: 'a b', stat_labels: 'one a_label_of_more_than_15' },
    title: 'Stats',
    columns: columns('count', 'sum', 'one', 'a_label_of_more'),
    layout: [300, 1],
    message: (second, value) => ({ Timestamp: 1, Fields: { timestamp: second, a: value } }),
  },
];

/** The payloads that a tick brings, by type. */
function tick(plugin: RunningPlugin, second: number): { type: unknown; name: unknown; payload: string }[] {
  const { rc, injected } = plugin.timer(BigInt(second) * 1_000_000_000n);
  expect(rc).toBe(0);
  return injected.map(({ Payload = '', Fields }: PlainMessage) => ({
    type: Fields[0]?.value[0],
    name: Fields[1]?.value[0],
    payload: Payload,
  }));
}

const NOW = 1_400_000_400;

describe.each(FILTERS)(
  '$plugin',
  ({ plugin: name, config = {}, title, columns: header, layout: [rows, seconds] = [1440, 60], message }) => {
    const start = (more: Record<string, Value> = {}): RunningPlugin => startPlugin(`filters/${name}.ts`, { ...config, ...more });
    const feed = (plugin: RunningPlugin, second: number, value: number): number => plugin.process(plainMessage(message(second, value))).rc;

    test('its layout without parameters', () => {
      const [graph, ...others] = tick(start(), NOW);
      expect(others).toEqual([]);
      expect(graph).toMatchObject({ type: 'cbuf', name: title });
      const parsed = parseGraph(graph?.payload ?? '');
      expect(parsed.preamble).toBeNull();
      expect(parsed.header).toEqual({
        time: 0,
        rows,
        columns: header.length,
        seconds_per_row: seconds,
        column_info: header.map(([column, unit, aggregation]) => ({ name: column, unit, aggregation })),
      });
      expect(parsed.rows).toEqual(Array.from({ length: rows }, () => header.map(() => 'nan')));
    });

    test('the time of a message selects the row, what is older than all rows is ignored, and ticks take nothing away', () => {
      const plugin = start({ rows: 3, sec_per_row: 10 });
      expect([NOW, NOW + 20, NOW - 10].map((second) => feed(plugin, second, 1))).toEqual([0, 0, 0]);
      const once = tick(plugin, NOW + 500)[0]?.payload ?? '';
      expect(parseGraph(once).header).toMatchObject({ time: NOW, rows: 3, seconds_per_row: 10 });
      expect(parseGraph(once).rows.map(([cell]) => cell)).toEqual(['1', 'nan', '1']);
      expect(tick(plugin, NOW + 600)[0]?.payload).toBe(once);
    });

    test.each<[parameters: Record<string, Value>]>([
      [{ rows: 0 }],
      [{ rows: 1 }],
      [{ sec_per_row: 0 }],
      [{ anomaly_config: `roc("${title}",1,2,0,1.5,true)` }],
      [{ preservation_version: 0.5 }],
    ])('does not start with %o', (parameters) => {
      expect(() => start(parameters)).toThrow();
    });

    test('an empty anomaly_config has no tests', () => {
      expect(tick(start({ anomaly_config: '' }), NOW).length).toBe(tick(start(), NOW).length);
    });

    test('an alert in front of the graph, once an hour, and marks that stay as long as the rows', () => {
      const plugin = start({ rows: 200, sec_per_row: 60, anomaly_config: `roc("${title}", 1, 2, 0, 1.5, true, false)` });
      const at = (minute: number): number => NOW + minute * 60;
      for (let minute = 0; minute < 10; minute++) expect(feed(plugin, at(minute), 5)).toBe(0);
      expect(tick(plugin, at(9)).map(({ type, payload }) => [type, payload.split('\n')[0]])).toEqual([['cbuf', '{"annotations":[]}']]);
      const [alert, graph, ...others] = tick(plugin, at(13));
      expect(others).toEqual([]);
      expect(alert).toMatchObject({ type: 'alert', name: '' });
      expect(alert?.payload).toMatch(new RegExp(`^${title} - algorithm: roc col: 1 msg: [^\\n]+$`));
      expect(graph).toMatchObject({ type: 'cbuf', name: title });
      const mark = { annotations: [{ x: at(13) * 1000, col: 1, shortText: 'A', text: expect.any(String) as string }] };
      expect(JSON.parse(graph?.payload.split('\n')[0] ?? '')).toEqual(mark);
      // The hour is not over, so the rows are not even looked at, and do not move on.
      const later = tick(plugin, at(73));
      expect(later.map(({ type }) => type)).toEqual(['cbuf']);
      expect(later[0]?.payload).toBe(graph?.payload);
      for (let minute = 70; minute < 75; minute++) feed(plugin, at(minute), 5);
      expect(tick(plugin, at(77)).map(({ type }) => type)).toEqual(['alert', 'cbuf']);
      const marksAt = (minute: number): number => {
        const payload = tick(plugin, at(minute)).at(-1)?.payload ?? '';
        return (JSON.parse(payload.split('\n')[0] ?? '') as typeof mark).annotations.length;
      };
      expect([marksAt(212), marksAt(213), marksAt(276), marksAt(277)]).toEqual([2, 1, 1, 0]);
    });
  },
);
