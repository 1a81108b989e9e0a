/** Graphs that are restored under other parameters: that fails, unless preservation_version was raised. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SandboxLoadError } from '../../engine/sandbox/contract/errors.ts';
import type { ConfigValue, Sandbox } from '../../engine/sandbox/contract/types.ts';
import { batchOf, stable } from '../engine/sandbox/harness.ts';
import { PluginBench } from './support/plugin-bench.ts';
import { FILTERS, messagesOf, timeOf, type PluginCase } from './support/cases.ts';

const bench = new PluginBench();
afterAll(() => bench.close());

type Config = Readonly<Record<string, ConfigValue>>;

/** Parameters that shape what is kept. */
const CHANGES: readonly (readonly [plugin: string, change: Config])[] = [
  ['cbufd_aggregator', { enable_delta: false }],
  ['cbufd_host_aggregator', { rows: 30 }],
  ['cbufd_host_aggregator', { max_hosts: 5 }],
  ['diskstats', { rows: 30 }],
  ['field_graph', { rows: 30 }],
  ['field_graph', { fields: 'a b c' }],
  ['field_graph', { fields: 'b a' }],
  ['http_status', { rows: 30 }],
  ['http_status', { sec_per_row: 20 }],
  ['loadavg', { rows: 30 }],
  ['memstats', { rows: 30 }],
  ['mysql_slow_query', { rows: 30 }],
  ['percentiles', { percentiles: '50' }],
  ['percentiles', { percentiles: '5 90 99' }],
  ['rate', { top: 5 }],
  ['rate', { sec_per_row: 10 }],
  ['sketch_aggregator', { by_host: false }],
  ['stat_graph', { rows: 30 }],
  ['stat_graph', { stats: 'a b', stat_labels: 'a b' }],
  ['stat_graph', { stats: 'b' }],
  ['stat_graph', { stat_labels: 'b' }],
  ['svc_memstat', { rows: 30 }],
  ['unique_items', { rows: 3 }],
  ['unique_items', { enable_delta: false }],
];

let files = 0;

function start({ plugin, config }: PluginCase, change: Config, preservation: string): Promise<Sandbox> {
  return bench.startPlugin('filter', plugin, { config: { ...config, ...change }, preservation });
}

async function output(sandbox: Sandbox): Promise<unknown> {
  return stable(await sandbox.timer(timeOf(9))).messages.map(({ payload }) => payload);
}

test.each(CHANGES)('%s with %o', async (plugin, change) => {
  const entry = FILTERS.find((one) => one.plugin === plugin) as PluginCase;
  const file = join(bench.folder, `version-${files++}.data`);
  const first = await start(entry, {}, file);
  await first.process(batchOf(messagesOf(entry, 0, 9)), null);
  const before = await output(first);
  await first.stop();
  await expect(start(entry, change, file)).rejects.toThrow(SandboxLoadError);
  const raised = await start(entry, { ...change, preservation_version: 1 }, file);
  const fresh = await start(entry, change, join(bench.folder, `none-${files++}.data`));
  expect(await output(raised)).toEqual(await output(fresh));
  expect(await output(raised)).not.toEqual(before);
  for (const sandbox of [raised, fresh]) await sandbox.stop();
});
