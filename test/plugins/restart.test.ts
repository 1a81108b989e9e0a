/** A plugin that preserves its data and is stopped and started again in the middle of a stream goes on as if nothing had happened. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Sandbox, SandboxKind, SandboxResult } from '../../engine/sandbox/contract/types.ts';
import { batchOf, stable } from '../engine/sandbox/harness.ts';
import { PluginBench } from './support/plugin-bench.ts';
import { ENCODERS, FILTERS, messagesOf, timeOf, type PluginCase } from './support/cases.ts';

const bench = new PluginBench();
afterAll(() => bench.close());

const LENGTH = 30;
/** Messages between two ticks. */
const TICK = 6;
/** Its plugins are watched in local variables: after a restart it learns anew. */
const FORGETFUL = 'process_message_failures';

let files = 0;

async function start(kind: SandboxKind, { plugin, config }: PluginCase, preservation: string): Promise<Sandbox> {
  return bench.startPlugin(kind, plugin, { config, preservation });
}

function outcome(result: SandboxResult): unknown {
  expect(result).toMatchObject({ failures: [], terminated: null });
  if (result.encoded) return Buffer.from(result.encoded.bytes).toString();
  return stable(result).messages.map(({ payload, fields }) => [payload, fields?.map((field) => field.values)]);
}

/** All that comes out when the plugin is started again before these messages. */
async function run(kind: SandboxKind, entry: PluginCase, restarts: readonly number[]): Promise<unknown[]> {
  const file = join(bench.folder, `restart-${files++}.data`);
  const outcomes: unknown[] = [];
  let sandbox = await start(kind, entry, file);
  for (let i = 0; i < LENGTH; i++) {
    if (restarts.includes(i)) {
      await sandbox.stop();
      sandbox = await start(kind, entry, file);
    }
    outcomes.push(outcome(await sandbox.process(batchOf(messagesOf(entry, i, i + 1)), null)));
    if (kind === 'filter' && entry.tickless !== true && i % TICK === TICK - 1) outcomes.push(outcome(await sandbox.timer(timeOf(i))));
  }
  await sandbox.stop();
  return outcomes;
}

const all = [
  ...FILTERS.filter(({ plugin }) => plugin !== FORGETFUL).map((entry) => ['filter', entry] as const),
  ...ENCODERS.map((entry) => ['encoder', entry] as const),
].map(([kind, entry]) => ({ kind, plugin: entry.plugin, entry }));

test.each(all)('$kind $plugin goes on where it was', async ({ kind, entry }) => {
  const uninterrupted = await run(kind, entry, []);
  expect(JSON.stringify(uninterrupted).length).toBeGreaterThan(300);
  expect(await run(kind, entry, [1, 7, 12, 13, 29])).toEqual(uninterrupted);
});
