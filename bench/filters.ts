import { firstIndex } from '../engine/message/binary-search.ts';
import { type MessageBatch, textAt } from '../engine/message/batch/batch.ts';
import { BatchBuilder } from '../engine/message/batch/builder.ts';
import { ValueType, type Field, type Message } from '../engine/message/types.ts';
import { parseWeighting } from '../engine/outputs/items.ts';
import { sandboxSpec } from '../engine/plugins/sandboxes.ts';
import { startSandboxes, type Sandboxes } from '../engine/plugins/starter.ts';
import { bundledNames, findPlugin } from '../engine/plugins/catalog.ts';
import type { ConfigValue, Sandbox } from '../engine/sandbox/contract/types.ts';
import { HyperLogLog } from '../plugins/modules/hyperloglog.ts';
import { QuantileSketch } from '../plugins/modules/quantile_sketch.ts';
import { processed } from './results.ts';
import { generator } from './random.ts';
import type { Benchmark, Figure } from './report.ts';

const MESSAGES = 1_000_000;
const BATCH = 4000;
const IN_FLIGHT = 4;
const SECOND = 1_000_000_000n;
const START = 1_614_949_679n * SECOND;
const MIB = 2 ** 20;

type Values = Readonly<Record<string, string | number | readonly number[]>>;

/** The messages and the parameters of a measured filter. */
interface Load {
  readonly config?: Readonly<Record<string, ConfigValue>>;
  /** Message number i. */
  readonly message: (i: number) => Partial<Omit<Message, 'fields'>> & { readonly fields?: Values };
}

const address = (i: number): string => `192.0.2.${(i * 7919) % 251}`;
const status = (i: number): number => ([200, 200, 200, 304, 404, 500] as const)[i % 6] as number;
const request = (i: number): Values => ({
  status: status(i),
  remote_addr: address(i),
  request: `GET /p/${i % 97} HTTP/1.1`,
  time: (i % 1000) / 10,
});
const access = { message: (i: number) => ({ type: 'web', logger: 'nginx', fields: request(i) }) };
const numbers = (...names: string[]): Load => ({
  message: (i) => ({ fields: Object.fromEntries(names.map((name, k) => [name, i + k])) }),
});
const DELTA =
  '{"time":0,"rows":60,"columns":2,"seconds_per_row":60,"column_info":[' +
  '{"name":"a","unit":"count","aggregation":"sum"},{"name":"b","unit":"count","aggregation":"max"}]}';
const deltas = {
  message: (i: number) => ({ hostname: `box${i % 4}`, payload: `${DELTA}\n${i * 60}\t1\t2\n`, fields: { payload_name: 'G' } }),
};
const DISK = [
  'WritesCompleted',
  'ReadsCompleted',
  'SectorsWritten',
  'SectorsRead',
  'WritesMerged',
  'ReadsMerged',
  'TimeWriting',
  'TimeReading',
  'TimeDoingIO',
  'WeightedTimeDoingIO',
];
const LINES = [
  (i: number) => `Accepted publickey for user${i % 50} from ${address(i)} port ${i % 65536} ssh2`,
  (i: number) => `Failed password for invalid user admin from ${address(i)} port ${i % 65536} ssh2`,
  (i: number) => `job ${i} done in ${i % 300} ms`,
  () => 'pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)',
];
const lines = { message: (i: number) => ({ payload: (LINES[i % LINES.length] as (typeof LINES)[number])(i), hostname: `box${i % 8}` }) };

const SKETCH = '{"sketch":"frequent","variable":"Fields[ip]","capacity":100,"min_weight":1,"reset_days":1}';
const sketches = {
  message: (i: number) => ({
    payload: `${SKETCH}\n864000\t["\\"${address(i)}",3]\n864000\t["\\"${address(i + 1)}",1]\n`,
    fields: { payload_type: 'sketch', payload_name: `Weighting ${i % 4}` },
  }),
};

/** The messages for each filter. */
export const FILTER_LOADS: Readonly<Record<string, Load>> = {
  cbufd_aggregator: deltas,
  cbufd_host_aggregator: { ...deltas, config: { max_hosts: 4, rows: 60 } },
  count_alert: { ...lines, config: { number: 1000, text: 'no such' } },
  diskstats: { message: (i) => ({ fields: { ...Object.fromEntries(DISK.map((name, k) => [name, i + k])), TickerInterval: 5 } }) },
  field_graph: { ...access, config: { fields: 'status time' } },
  frequent_items: { ...access, config: { message_variable: 'Fields[remote_addr]' } },
  heartbeat: lines,
  http_status: access,
  influx_batch: { ...access, config: { flush_count: '50' } },
  loadavg: numbers('1MinAvg', '5MinAvg', '15MinAvg', 'NumProcesses'),
  log_templates: lines,
  memstats: numbers('MemFree', 'Cached', 'Active', 'Inactive', 'VmallocUsed', 'Shmem', 'SwapCached'),
  message_schema: access,
  mysql_slow_query: numbers('Query_time', 'Lock_time', 'Rows_examined', 'Rows_sent'),
  percentiles: { ...access, config: { message_variable: 'Fields[time]' } },
  process_message_failures: {
    message: (i) => ({ payload: `{"filters":[{"Name":"f${i % 5}","ProcessMessageFailures":{"value":${i % 7}}}]}` }),
  },
  procstat: { message: (i) => ({ fields: { cpu: [i, 0, i * 2, i * 9], cpu0: [i, 0, i, i * 4], ctxt: i * 100 } }) },
  rare_events: lines,
  rate: { ...access, config: { message_variable: 'Fields[remote_addr]' } },
  sketch_aggregator: sketches,
  stat_graph: { ...numbers('timestamp', 'hits'), config: { stats: 'hits', stat_labels: 'hits' } },
  svc_memstat: numbers('HeapSys', 'HeapAlloc', 'HeapIdle', 'HeapInuse', 'HeapReleased', 'HeapObjects'),
  unique_items: { ...access, config: { message_variable: 'Fields[remote_addr]' } },
};

/** Measures each bundled filter alone, with messages that it expects; also the accuracy of the estimates. */
export const filterBenchmark: Benchmark = {
  name: 'filters',
  title: `Filters, ${MESSAGES.toLocaleString('en')} messages each, in one sandbox, through the process boundary`,
  async run() {
    const sandboxes = startSandboxes({ hosts: 1 });
    const figures: Figure[] = [];
    for (const name of bundledNames('filter')) {
      const load = FILTER_LOADS[name];
      if (load === undefined) throw new Error(`there are no messages for the filter ${name}`);
      figures.push(await measure(sandboxes, name, load));
    }
    figures.push(...uniqueItems(), await frequentItems(sandboxes), ...percentiles());
    await sandboxes.close();
    return figures;
  },
};

async function measure(sandboxes: Sandboxes, name: string, { config = {}, message }: Load): Promise<Figure> {
  const sandbox = await sandboxes.start(sandboxSpec('filter', findPlugin('filter', name), { config, limits: { processInject: 1000 } }));
  const batch = batchOf(message);
  await processAll(sandbox, batch, MESSAGES / 10);
  const started = performance.now();
  await processAll(sandbox, batch, MESSAGES);
  const seconds = (performance.now() - started) / 1000;
  const { memory, lastError } = await sandbox.report();
  await sandbox.stop();
  const note = `${(memory.maximum / MIB).toFixed(1)} MiB of the script${lastError === null ? '' : `; ${lastError}`}`;
  return { what: name, value: MESSAGES / seconds, unit: 'messages/s', note };
}

/** Sends the same batch again and again. */
async function processAll(sandbox: Sandbox, batch: MessageBatch, count: number): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  for (let sent = 0; sent < count; sent += batch.length) {
    underWay.push(processed(sandbox, batch, null));
    if (underWay.length >= IN_FLIGHT) await underWay.shift();
  }
  await Promise.all(underWay);
}

function batchOf(message: Load['message']): MessageBatch {
  const builder = new BatchBuilder();
  for (let i = 0; i < BATCH; i++) {
    const { fields = {}, ...headers } = message(i);
    const uuid = new Uint8Array(16);
    builder.append({ uuid, timestamp: START + (BigInt(i) * SECOND) / 10n, ...headers, fields: Object.entries(fields).map(fieldOf) });
  }
  return builder.build();
}

function fieldOf([name, value]: [string, Values[string]]): Field {
  if (typeof value === 'string') return { name, valueType: ValueType.STRING, values: [value] };
  return { name, valueType: ValueType.DOUBLE, values: typeof value === 'number' ? [value] : [...value] };
}

function uniqueItems(): Figure[] {
  return [100, 10_000, 1_000_000].map((count) => {
    const estimator = new HyperLogLog();
    for (let i = 1; i <= count; i++) estimator.add(`user-${i}`);
    const error = (Math.abs(estimator.count() - count) / count) * 100;
    return { what: `unique_items: error at ${count.toLocaleString('en')}`, value: error, unit: '%' };
  });
}

const ZIPF_VALUES = 100_000;
const HEAVY = 100;

/** Counts the most frequent values of a Zipf stream that are in a table of the default size. */
async function frequentItems(sandboxes: Sandboxes): Promise<Figure> {
  const config = { message_variable: 'Payload', min_output_weight: 0, reset_days: 0 };
  const limits = { output: 0 };
  const sandbox = await sandboxes.start(sandboxSpec('filter', findPlugin('filter', 'frequent_items'), { config, limits }));
  const draw = zipf(ZIPF_VALUES);
  for (let sent = 0; sent < MESSAGES; sent += BATCH)
    await processed(
      sandbox,
      batchOf(() => ({ payload: `item ${draw()}` })),
      null,
    );
  const { injected } = await sandbox.timer(START);
  await sandbox.stop();
  const table = injected === null ? null : parseWeighting(textAt(injected.payload, 0) ?? '');
  const found = new Set(table?.items.map(({ item }) => item));
  const hits = Array.from({ length: HEAVY }, (_, i) => `item ${i + 1}`).filter((item) => found.has(item)).length;
  return {
    what: `frequent_items: recall of the first ${HEAVY} of a Zipf stream`,
    value: (hits / HEAVY) * 100,
    unit: '%',
    note: '1,000 of 100,000 values',
  };
}

/** Measures the error of the percentiles of log-normal times, most of them short and a few very long. */
function percentiles(): Figure[] {
  const sketch = new QuantileSketch();
  const random = generator();
  const times = Float64Array.from({ length: MESSAGES }, () =>
    Math.exp(4 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())),
  );
  for (const time of times) sketch.add(time);
  times.sort();
  return [50, 90, 99, 99.9].map((percent) => {
    const exact = times[Math.floor((percent / 100) * (MESSAGES - 1))] as number;
    const value = (Math.abs(sketch.percentile(percent) - exact) / exact) * 100;
    return { what: `percentiles: error of the ${percent}th`, value, unit: '%' };
  });
}

/** Draws 1 to n with probabilities in inverse proportion, the same each time. */
function zipf(n: number): () => number {
  const sums = new Float64Array(n);
  for (let i = 0, sum = 0; i < n; i++) sums[i] = sum += 1 / (i + 1);
  const total = sums[n - 1] as number;
  const random = generator();
  return () => {
    const target = random() * total;
    return firstIndex(n - 1, (i) => (sums[i] as number) >= target) + 1;
  };
}
