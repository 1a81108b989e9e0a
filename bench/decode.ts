import { readRecords } from '../engine/inputs/shared/read.ts';
import type { MessageBatch } from '../engine/message/batch/batch.ts';
import { sandboxSpec } from '../engine/plugins/sandboxes.ts';
import { startSandboxes } from '../engine/plugins/starter.ts';
import { findPlugin } from '../engine/plugins/catalog.ts';
import type { Sandbox } from '../engine/sandbox/contract/types.ts';
import { onCores, type Cores } from './cores.ts';
import { beside, DECODE } from './peers.ts';
import { median, percentile, type Benchmark, type Figure } from './report.ts';
import { processed } from './results.ts';
import { largeLog, LOG_FORMAT } from './samples.ts';

const RUNS = 5;
const IN_FLIGHT = 4;
const SINGLE = 300;

/** The decoder alone: records are in memory, one sandbox, through the process boundary and back. */
export const decodeBenchmark: Benchmark = {
  name: 'decode',
  title: 'Decode access-log lines (230 bytes) in one sandbox, through the process boundary',
  async run() {
    const { path, lines } = largeLog(20);
    const batches: MessageBatch[] = [];
    const reading = performance.now();
    for await (const { batch } of readRecords(path)) batches.push(batch);
    const readMs = performance.now() - reading;
    const read: Figure = { what: 'read and cut into records', value: (lines / readMs) * 1000, unit: 'lines/s' };
    return [read, ...(await onCores((cores) => measure(batches, lines, cores))).flat()];
  },
};

async function measure(batches: readonly MessageBatch[], lines: number, cores: Cores): Promise<Figure[]> {
  const sandboxes = startSandboxes({ hosts: 1 });
  const sandbox = await sandboxes.start(
    sandboxSpec('decoder', findPlugin('decoder', 'nginx_access'), { config: { log_format: LOG_FORMAT } }),
  );
  const rates: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const started = performance.now();
    await decodeAll(sandbox, batches);
    // The first run warms the compiler up.
    if (run > 0) rates.push((lines / (performance.now() - started)) * 1000);
  }
  const times = await latencies(sandbox, batches[0] as MessageBatch);
  await sandboxes.close();
  const rate = median(rates);
  const note = `median of ${RUNS}, ${IN_FLIGHT} batches under way; ${beside(rate, DECODE)}`;
  const there = { unit: 'ms', note: 'there and back' } as const;
  return [
    { what: `decode, ${cores.text}`, value: rate, unit: 'lines/s', note },
    { what: `one record, ${cores.text}: median`, value: median(times), ...there },
    { what: `one record, ${cores.text}: 99th percentile`, value: percentile(times, 99), ...there },
  ];
}

async function decodeAll(sandbox: Sandbox, batches: readonly MessageBatch[]): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  for (const batch of batches) {
    underWay.push(processed(sandbox, batch, null));
    if (underWay.length >= IN_FLIGHT) await underWay.shift();
  }
  await Promise.all(underWay);
}

async function latencies(sandbox: Sandbox, batch: MessageBatch): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < SINGLE; i++) {
    const started = performance.now();
    await processed(sandbox, batch, new Uint32Array([i]));
    times.push(performance.now() - started);
  }
  return times;
}
