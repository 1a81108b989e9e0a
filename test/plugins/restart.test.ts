import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ConfigValue, Sandbox, SandboxResult } from '../../engine/sandbox/index.ts';
import type { Message } from '../../engine/message/types.ts';
import { batchOf, message, number, SandboxBench, stable, text } from '../sandbox/harness.ts';
import { PLUGINS } from './support/sandbox.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const SECOND = 1_000_000_000n;
const START = 1_614_949_680n;

type Fields = Record<string, string | number>;

interface Case {
  readonly plugin: string;
  readonly config?: Record<string, ConfigValue>;
  /** Message number i, of ten seconds each. */
  readonly message: (i: number) => Partial<Message> & { readonly values?: Fields };
}

const values = (...names: string[]): Case['message'] => {
  return (i) => ({ values: Object.fromEntries(names.map((name, k) => [name, i * (k + 1)])) });
};
const graph = (i: number): string =>
  `{"time":${i * 10},"rows":3,"columns":1,"seconds_per_row":10,"column_info":[{"name":"a","unit":"count","aggregation":"sum"}]}\n`;
const roc = (name: string): string => `roc("${name}", 1, 2, 0, 1, true, true)`;

const CASES: readonly Case[] = [
  {
    plugin: 'cbufd_aggregator',
    config: { enable_delta: true },
    message: (i) => ({ payload: `${graph(0)}${i * 10}\t1\n`, values: { payload_name: 'G' } }),
  },
  {
    plugin: 'cbufd_host_aggregator',
    config: { max_hosts: 3, rows: 20 },
    message: (i) => ({ hostname: `box${i % 3}`, payload: `${graph(0)}${i * 10}\t1\n`, values: { payload_name: 'G' } }),
  },
  {
    plugin: 'diskstats',
    config: { rows: 20 },
    message: (i) => ({
      values: {
        ...values('WritesCompleted', 'ReadsCompleted', 'SectorsWritten', 'SectorsRead', 'WritesMerged', 'ReadsMerged')(i).values,
        ...values('TimeWriting', 'TimeReading', 'TimeDoingIO', 'WeightedTimeDoingIO')(i).values,
        TickerInterval: 10,
      },
    }),
  },
  { plugin: 'frequent_items', config: { message_variable: 'Fields[a]', min_output_weight: 0 }, message: (i) => ({ values: { a: i % 3 } }) },
  { plugin: 'heartbeat', config: { timeout: 60 }, message: (i) => ({ hostname: i < 3 ? 'a' : 'b' }) },
  {
    plugin: 'http_status',
    config: { rows: 20, sec_per_row: 10, anomaly_config: roc('HTTP Status') },
    message: (i) => ({ values: { status: 100 * (i % 6) } }),
  },
  { plugin: 'loadavg', config: { rows: 20, sec_per_row: 10 }, message: values('1MinAvg', '5MinAvg', '15MinAvg', 'NumProcesses') },
  {
    plugin: 'log_templates',
    config: { learn_seconds: 0, alerts: true },
    message: (i) => ({ payload: `job ${i} of user${'abc'[i % 3]} is done` }),
  },
  {
    plugin: 'memstats',
    config: { rows: 20, sec_per_row: 10 },
    message: values('MemFree', 'Cached', 'Active', 'Inactive', 'VmallocUsed', 'Shmem', 'SwapCached'),
  },
  { plugin: 'mysql_slow_query', config: { rows: 2 }, message: values('Query_time', 'Lock_time', 'Rows_examined', 'Rows_sent') },
  { plugin: 'percentiles', config: { message_variable: 'Fields[t]', rows: 5, sec_per_row: 60 }, message: values('t') },
  { plugin: 'rare_events', config: { learn_count: 0, alerts: true }, message: (i) => ({ payload: `line ${'abcd'[i % 4]}` }) },
  { plugin: 'rate', config: { message_variable: 'Fields[v]', top: 2, rows: 5 }, message: (i) => ({ values: { v: `v${i % 3}` } }) },
  {
    plugin: 'stat_graph',
    config: { stats: 'a', stat_labels: 'a', sec_per_row: 10, rows: 20 },
    message: (i) => ({ values: { timestamp: i * 10, a: i } }),
  },
  { plugin: 'svc_memstat', config: { rows: 20 }, message: values('HeapSys', 'HeapAlloc') },
  {
    plugin: 'unique_items',
    config: { message_variable: 'Fields[u]', rows: 2, enable_delta: true },
    message: (i) => ({ values: { u: `u${i}` } }),
  },
];

function messages({ message: make }: Case, from: number, to: number): Message[] {
  return Array.from({ length: to - from }, (_, k) => {
    const i = from + k;
    const { values: fields = {}, ...headers } = make(i);
    const list = Object.entries(fields).map(([name, value]) => (typeof value === 'string' ? text(name, value) : number(name, value)));
    return message({ timestamp: (START + BigInt(i) * 10n) * SECOND, ...headers, fields: list });
  });
}

let files = 0;

function start(kind: 'filter' | 'encoder', { plugin, config = {} }: Case, preservation?: string): Promise<Sandbox> {
  const state = preservation === undefined ? {} : { preservation };
  return bench.startFile(join(PLUGINS, `${kind}s`, `${plugin}.ts`), { kind, config, ...state });
}

function outcome(result: SandboxResult): unknown {
  expect(result).toMatchObject({ failures: [], terminated: null });
  return stable(result).messages.map(({ payload, fields }) => [payload, fields?.map((field) => field.values)]);
}

const HALF = 7;
const END = 12;

/** Ticks after the first half and at the end; between them the filter is stopped and started again, or not. */
async function run(entry: Case, restarted: boolean): Promise<unknown[]> {
  const file = join(bench.folder, `restart-${files++}.data`);
  const tick = async (sandbox: Sandbox, i: number): Promise<unknown> => outcome(await sandbox.timer((START + BigInt(i) * 10n) * SECOND));
  let sandbox = await start('filter', entry, file);
  await sandbox.process(batchOf(messages(entry, 0, HALF)), null);
  const first = await tick(sandbox, HALF);
  if (restarted) {
    await sandbox.stop();
    sandbox = await start('filter', entry, file);
  }
  await sandbox.process(batchOf(messages(entry, HALF, END)), null);
  const second = await tick(sandbox, END);
  await sandbox.stop();
  return [first, second];
}

test.each(CASES)('$plugin goes on where it was', async (entry) => {
  const uninterrupted = await run(entry, false);
  expect(JSON.stringify(uninterrupted).length).toBeGreaterThan(50);
  expect(await run(entry, true)).toEqual(uninterrupted);
});

test('cbuf_librato sends no row twice', async () => {
  const entry: Case = { plugin: 'cbuf_librato', message: (i) => ({ payload: `${graph(i)}1\n2\n3\n` }) };
  const file = join(bench.folder, 'librato.data');
  const encode = async (from: number): Promise<string> => {
    const sandbox = await start('encoder', entry, file);
    const { encoded } = await sandbox.process(batchOf(messages(entry, from, from + 1)), null);
    await sandbox.stop();
    return Buffer.from(encoded?.bytes ?? []).toString();
  };
  expect((await encode(0)).match(/measure_time":\d+/g)).toEqual(['measure_time":0', 'measure_time":10']);
  expect(await encode(0)).toBe('');
  expect((await encode(1)).match(/measure_time":\d+/g)).toEqual(['measure_time":20']);
});
