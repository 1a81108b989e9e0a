/** A way to run each bundled filter and encoder: parameters, and messages as it wants them. */
import type { Message } from '../../../engine/message/types.ts';
import type { ConfigValue } from '../../../engine/sandbox/contract/types.ts';
import { message, number, text } from '../../engine/sandbox/harness.ts';

export interface PluginCase {
  readonly plugin: string;
  readonly config: Readonly<Record<string, ConfigValue>>;
  /** It has no timer_event. */
  readonly tickless?: true;
  /** Headers and fields of message number i; messages are ten seconds apart. */
  readonly message: (i: number) => Partial<Message> & { readonly values?: Fields };
}

type Fields = Readonly<Record<string, string | number | readonly number[]>>;

export const SECOND = 1_000_000_000n;
/** Seconds since 1970 of message 0. */
export const START = 1_614_949_680n;
/** Seconds from message to message. */
const STEP = 10n;

const values = (...names: string[]): PluginCase['message'] => {
  return (i) => ({ values: Object.fromEntries(names.map((name, k) => [name, i * (k + 1)])) });
};
const graph = (time: number, rows: number): string =>
  `{"time":${time},"rows":${rows},"columns":1,"seconds_per_row":10,"column_info":[{"name":"a","unit":"count","aggregation":"sum"}]}\n`;
const roc = (name: string): string => `roc("${name}", 1, 2, 0, 1, true, true)`;
const access: PluginCase['message'] = (i) => ({
  ...{ type: 'web', logger: 'nginx', hostname: `box${i % 2}`, severity: i % 8, payload: `GET /${i}` },
  values: { status: 100 * (1 + (i % 5)), user: `u${i % 4}` },
});
const counters = ['WritesCompleted', 'ReadsCompleted', 'SectorsWritten', 'SectorsRead', 'WritesMerged', 'ReadsMerged'];
const times = ['TimeWriting', 'TimeReading', 'TimeDoingIO', 'WeightedTimeDoingIO'];

export const FILTERS: readonly PluginCase[] = [
  {
    plugin: 'cbufd_aggregator',
    config: { enable_delta: true, anomaly_config: roc('G') },
    message: (i) => ({ payload: `${graph(0, 20)}${i * 10}\t${i % 4}\n`, values: { payload_name: 'G' } }),
  },
  {
    plugin: 'cbufd_host_aggregator',
    config: { max_hosts: 200, rows: 20, host_expiration: 0 },
    message: (i) => ({ hostname: `box${i % 3}`, payload: `${graph(0, 20)}${i * 10}\t1\n`, values: { payload_name: 'G' } }),
  },
  {
    plugin: 'count_alert',
    config: { number: 0, window: 1, text: 'a', alert_throttle: 0 },
    message: (i) => ({ values: { a: i % 3 === 0 ? 'b' : 'a' } }),
  },
  {
    plugin: 'diskstats',
    config: { rows: 20, anomaly_config: roc('Disk Stats') },
    message: (i) => ({ values: { ...values(...counters, ...times)(i).values, TickerInterval: 10 } }),
  },
  {
    plugin: 'field_graph',
    config: { fields: 'a b', aggregation: 'sum', rows: 20, sec_per_row: 10, anomaly_config: roc('Fields') },
    message: values('a', 'b'),
  },
  { plugin: 'frequent_items', config: { message_variable: 'Fields[a]', min_output_weight: 0 }, message: (i) => ({ values: { a: i % 3 } }) },
  { plugin: 'heartbeat', config: { timeout: 60 }, message: (i) => ({ hostname: i % 9 < 3 ? 'a' : 'b' }) },
  { plugin: 'http_status', config: { rows: 20, sec_per_row: 10, anomaly_config: roc('HTTP Status') }, message: access },
  { plugin: 'influx_batch', config: { tag_fields: 'all', flush_count: '5' }, message: access },
  { plugin: 'loadavg', config: { rows: 20, sec_per_row: 10 }, message: values('1MinAvg', '5MinAvg', '15MinAvg', 'NumProcesses') },
  {
    plugin: 'log_templates',
    config: { learn_seconds: 0, alerts: true, gone_seconds: 30, gone_count: 2 },
    message: (i) => ({ payload: `job ${i} of user${'abc'[i % 3]} is ${['done', 'late at all', 'gone for good now'][(i >> 2) % 3]}` }),
  },
  {
    plugin: 'memstats',
    config: { rows: 20, sec_per_row: 10, anomaly_config: roc('Memory Stats') },
    message: values('MemFree', 'Cached', 'Active', 'Inactive', 'VmallocUsed', 'Shmem', 'SwapCached'),
  },
  { plugin: 'message_schema', config: {}, message: (i) => ({ logger: `l${i % 2}`, values: i % 3 === 0 ? { a: 1 } : { a: 'x', b: 2 } }) },
  {
    plugin: 'mysql_slow_query',
    config: { rows: 3, sec_per_row: 30 },
    message: values('Query_time', 'Lock_time', 'Rows_examined', 'Rows_sent'),
  },
  { plugin: 'percentiles', config: { message_variable: 'Fields[t]', rows: 5, sec_per_row: 60 }, message: values('t') },
  {
    plugin: 'process_message_failures',
    config: { anomaly_config: 'roc("DEFAULT", 1, 12, 0, 0, false, false)' },
    message: (i) => ({ payload: `{"filters":[{"Name":"f","ProcessMessageFailures":{"value":${1 + i * i}}}]}` }),
  },
  {
    plugin: 'procstat',
    tickless: true,
    config: { extras: true },
    message: (i) => ({ values: { cpu: [i * i, 0, i, i * 9], ctxt: i * 3, softirq: [i, i] } }),
  },
  { plugin: 'rare_events', config: { learn_count: 0, alerts: true }, message: (i) => ({ payload: `line ${'abcd'[i % 4]}` }) },
  { plugin: 'rate', config: { message_variable: 'Fields[v]', top: 2, rows: 5 }, message: (i) => ({ values: { v: `v${i % 3}` } }) },
  {
    plugin: 'sketch_aggregator',
    config: { by_host: true },
    message: (i) => ({
      hostname: `box${i % 3}`,
      payload:
        '{"sketch":"quantiles","rows":20,"seconds_per_row":10,"percentiles":"50 99","unit":"s"}\n' +
        `${i * 10}\t{"exact":[${i},3],"zeros":0,"minimum":0,"maximum":${i + 3},"positive":[],"negative":[]}\n`,
      values: { payload_name: 'G' },
    }),
  },
  {
    plugin: 'stat_graph',
    config: { stats: 'a', stat_labels: 'a', sec_per_row: 10, rows: 20 },
    message: (i) => ({ values: { timestamp: Number(START) + i * 10, a: i } }),
  },
  { plugin: 'svc_memstat', config: { rows: 20 }, message: values('HeapSys', 'HeapAlloc') },
  {
    plugin: 'unique_items',
    config: { message_variable: 'Fields[u]', rows: 2, enable_delta: true },
    message: (i) => ({ values: { u: `u${i}` } }),
  },
];

export const ENCODERS: readonly PluginCase[] = [
  { plugin: 'alert', config: {}, message: access },
  { plugin: 'cbuf_librato', config: {}, message: (i) => ({ payload: `${graph(i * 10, 3)}${i}\n${i + 1}\n${i + 2}\n` }) },
  { plugin: 'es_payload', config: { index: '%{Logger}-%{%Y.%m.%d}', id: '%{user}', es_index_from_timestamp: true }, message: access },
  { plugin: 'json_lines', config: {}, message: access },
  { plugin: 'plain_text', config: { prefix_ts: true }, message: access },
  { plugin: 'schema_carbon_line', config: { name_prefix: '%{Hostname}.%{user}' }, message: access },
  { plugin: 'schema_influx', config: { series: 's.%{user}', multi_series: true }, message: access },
  { plugin: 'schema_influx_line', config: { tag_fields: 'all', name_prefix: '%{Hostname}.%{user}.' }, message: access },
  { plugin: 'statmetric_influx', config: {}, message: (i) => ({ values: { timestamp: i, a: i } }) },
];

/** Messages [from, to) of a case. */
export function messagesOf({ message: make }: PluginCase, from: number, to: number): Message[] {
  return Array.from({ length: to - from }, (_, k) => {
    const i = from + k;
    const { values: fields = {}, ...headers } = make(i);
    const list = Object.entries(fields).map(([name, value]) =>
      typeof value === 'string' ? text(name, value) : number(name, ...(typeof value === 'number' ? [value] : value)),
    );
    return message({ timestamp: timeOf(i), ...headers, fields: list });
  });
}

/** Nanoseconds of message number i. */
export function timeOf(i: number): bigint {
  return (START + BigInt(i) * STEP) * SECOND;
}
