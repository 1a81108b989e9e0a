import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FileInput } from '../engine/inputs/file/file-input.ts';
import { readRecords } from '../engine/inputs/shared/read.ts';
import { compileMatcher } from '../engine/matcher/matcher.ts';
import type { MessageBatch } from '../engine/message/batch/batch.ts';
import { Pipeline } from '../engine/pipeline/pipeline.ts';
import { sandboxSpec } from '../engine/plugins/sandboxes.ts';
import { startSandboxes, type Sandboxes } from '../engine/plugins/starter.ts';
import { findPlugin } from '../engine/plugins/catalog.ts';
import { RecordStore } from '../engine/store/record-store.ts';
import { onCores, type Cores } from './cores.ts';
import { liveFigures } from './live-pipeline.ts';
import { beside, END_TO_END } from './peers.ts';
import { median, type Benchmark, type Figure } from './report.ts';
import { processed } from './results.ts';
import { folder, largeLog, LOG_FORMAT } from './samples.ts';

const RUNS = 3;

/** The whole way of a record, and what each stage would take alone. */
export const pipelineBenchmark: Benchmark = {
  name: 'pipeline',
  title: 'From the file through decoder, http_status and record store',
  async run() {
    const log = largeLog(50);
    const whole = await onCores((cores) => measure(log, cores));
    const sandboxes = startSandboxes();
    const stages = await stagesAlone(sandboxes, log.path);
    await sandboxes.close();
    const sum = stages.reduce((total, { ms }) => total + ms, 0);
    const shares = stages.map(({ what, ms }): Figure => ({
      what: `share of: ${what}`,
      value: (ms / sum) * 100,
      unit: '%',
      note: `${Math.round((log.lines / ms) * 1000).toLocaleString('en')} lines/s alone`,
    }));
    return [...whole.flat(), ...shares, ...(await liveFigures())];
  },
};

async function measure(log: ReturnType<typeof largeLog>, cores: Cores): Promise<Figure[]> {
  const sandboxes = startSandboxes();
  await wholePipeline(sandboxes, largeLog(5).path, 'warm-up');
  const runs: number[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await wholePipeline(sandboxes, log.path, `whole-${cores.count}-${run}`));
  await sandboxes.close();
  const seconds = median(runs);
  const rate = log.lines / seconds;
  const peer = END_TO_END[cores.count];
  const note = `${log.lines.toLocaleString('en')} lines, median of ${RUNS}${peer === undefined ? '' : `; ${beside(rate, [peer])}`}`;
  return [
    { what: `whole pipeline, ${cores.text}`, value: rate, unit: 'lines/s', note },
    { what: `whole pipeline, ${cores.text}`, value: log.bytes / 1e6 / seconds, unit: 'MB/s' },
  ];
}

const decoderSpec = () =>
  sandboxSpec('decoder', findPlugin('decoder', 'nginx_access'), { config: { log_format: LOG_FORMAT, type: 'nginx.access' } });
const filterSpec = () => sandboxSpec('filter', findPlugin('filter', 'http_status'), {});

async function wholePipeline(sandboxes: Sandboxes, path: string, name: string): Promise<number> {
  const store = new RecordStore({ folder: join(folder, name) });
  const pipeline = new Pipeline({ clock: 'message' });
  pipeline.addFilter({
    name: 'http_status',
    matcher: compileMatcher('Fields[status] != NIL'),
    tickerInterval: 3600,
    sandbox: await sandboxes.start(filterSpec()),
  });
  pipeline.addInput({
    input: new FileInput({ name, paths: [path], follow: false }),
    decoder: await sandboxes.start(decoderSpec()),
    sendDecodeFailures: false,
    onRecords: ({ batch, raw }) => store.append({ batch, raw, source: 1, decoder: 'nginx_access' }),
  });
  const started = performance.now();
  await pipeline.start();
  while (!pipeline.idle) await delay(2);
  const seconds = (performance.now() - started) / 1000;
  await pipeline.stop();
  await store.close();
  return seconds;
}

async function stagesAlone(sandboxes: Sandboxes, path: string): Promise<{ what: string; ms: number }[]> {
  const records: MessageBatch[] = [];
  const read = await timed(async () => {
    for await (const { batch } of readRecords(path)) records.push(batch);
  });
  const decoder = await sandboxes.start(decoderSpec());
  const decoded: MessageBatch[] = [];
  const decode = await timed(async () => {
    const results = await inTurns(records, (batch) => processed(decoder, batch, null));
    for (const { injected } of results) if (injected !== null) decoded.push(injected);
  });
  await decoder.stop();
  const matcher = compileMatcher('Fields[status] != NIL');
  const match = await timed(() => Promise.resolve(void decoded.map((batch) => matcher.select(batch))));
  const filter = await sandboxes.start(filterSpec());
  const filtered = await timed(async () => void (await inTurns(decoded, (batch) => processed(filter, batch, null))));
  await filter.stop();
  const store = new RecordStore({ folder: join(folder, 'alone') });
  const stored = await timed(async () => {
    for (const [i, batch] of decoded.entries()) await store.append({ batch, raw: records[i]?.payload ?? null, source: 1, decoder: null });
    await store.flushed();
  });
  await store.close();
  return [
    { what: 'input', ms: read },
    { what: 'decoder', ms: decode },
    { what: 'matcher', ms: match },
    { what: 'filter', ms: filtered },
    { what: 'store', ms: stored },
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Works on some items at a time; results in order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: Promise<R>[] = [];
  for (const item of items) {
    results.push(work(item));
    if (results.length > 4) await results.at(-5);
  }
  return Promise.all(results);
}
