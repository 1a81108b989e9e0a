import { readRecords } from '../engine/inputs/read.ts';
import type { MessageBatch } from '../engine/message/batch.ts';
import { sandboxSpec } from '../engine/pipeline/sandboxes.ts';
import { startSandboxes } from '../engine/pipeline/starter.ts';
import { findPlugin } from '../engine/plugins/index.ts';
import type { Sandbox } from '../engine/sandbox/types.ts';
import { median, type Benchmark, type Figure } from './report.ts';
import { largeLog, LOG_FORMAT } from './samples.ts';

const RUNS = 5;
const IN_FLIGHT = 4;

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
    const cold = await latency(sandbox, batches[0] as MessageBatch);
    await sandboxes.close();
    const figures: Figure[] = [
      { what: 'read and cut into records', value: (lines / readMs) * 1000, unit: 'lines/s' },
      { what: 'decode', value: median(rates), unit: 'lines/s', note: `median of ${RUNS}, ${IN_FLIGHT} batches under way` },
      { what: 'decode a batch of one record', value: cold, unit: 'ms', note: 'there and back, median' },
    ];
    return figures;
  },
};

async function decodeAll(sandbox: Sandbox, batches: readonly MessageBatch[]): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  for (const batch of batches) {
    underWay.push(sandbox.process(batch, null));
    if (underWay.length >= IN_FLIGHT) await underWay.shift();
  }
  await Promise.all(underWay);
}

async function latency(sandbox: Sandbox, batch: MessageBatch): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 50; i++) {
    const started = performance.now();
    await sandbox.process(batch, new Uint32Array([i]));
    times.push(performance.now() - started);
  }
  return median(times);
}
