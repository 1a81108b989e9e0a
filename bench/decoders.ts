import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readRecords } from '../engine/inputs/shared/read.ts';
import type { MessageBatch } from '../engine/message/batch/batch.ts';
import { batchOf } from '../engine/message/batch/builder.ts';
import { sandboxSpec } from '../engine/plugins/sandboxes.ts';
import { startSandboxes, type Sandboxes } from '../engine/plugins/starter.ts';
import { bundledNames, findPlugin } from '../engine/plugins/catalog.ts';
import { decoderSplit } from '../engine/plugins/split.ts';
import type { Config } from '../engine/plugins/parameters.ts';
import type { Sandbox } from '../engine/sandbox/contract/types.ts';
import { DECODER_LOADS, type DecoderLoad } from './decoder-loads.ts';
import { GOACCESS, isInstalled, leftOut, LNAV, MAWK, type Tool } from './installed.ts';
import { median, type Benchmark, type Figure } from './report.ts';
import { processed } from './results.ts';
import { folder, largeLog, LOG_FORMAT } from './samples.ts';

const BATCH = 4000;
const BATCHES = 5;
const ROUNDS = 5;
const IN_FLIGHT = 4;
const READ_AT = 1_614_949_680_000_000_000n;
const COPIES = 20;

/** Other programs that read access logs, with `{}` for the file. Each counts the lines of each status. */
const PEERS: readonly (readonly [tool: Tool, command: string])[] = [
  [LNAV, "lnav -n -c ';SELECT sc_status, count(*) FROM access_log GROUP BY sc_status' {}"],
  [GOACCESS, `goaccess {} --log-format=COMBINED --no-progress -o ${join(folder, 'goaccess.json')}`],
  [MAWK, "mawk '{c[$9]++}END{for(k in c)print k,c[k]}' {}"],
];

/** All decoders, alone: records are in memory, one sandbox, through the process boundary and back. Then a file, beside other programs. */
export const decodersBenchmark: Benchmark = {
  name: 'decoders',
  title: 'Decode records of each kind in one sandbox; then read an access log and decode it, beside other programs',
  async run() {
    const unmeasured = bundledNames('decoder').filter((name) => !DECODER_LOADS.some(({ decoder }) => decoder === name));
    if (unmeasured.length > 0) throw new Error(`There is no load for ${unmeasured.join(', ')}.`);
    const sandboxes = startSandboxes({ hosts: 1 });
    const figures: Figure[] = [];
    for (const load of DECODER_LOADS) figures.push(await measure(sandboxes, load));
    figures.push(...(await compare(sandboxes)));
    await sandboxes.close();
    return figures;
  },
};

const start = (sandboxes: Sandboxes, decoder: string, config: Readonly<Config>): Promise<Sandbox> =>
  sandboxes.start(sandboxSpec('decoder', findPlugin('decoder', decoder), { config }));

async function measure(sandboxes: Sandboxes, { decoder, what, config = {}, records }: DecoderLoad): Promise<Figure> {
  const texts = records();
  const batches = Array.from({ length: BATCHES }, (_, i) => batchFrom(texts, i * BATCH));
  const sandbox = await start(sandboxes, decoder, config);
  const rates: number[] = [];
  let failures = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const started = performance.now();
    failures = await decodeAll(sandbox, batches);
    // The first round warms the compiler up.
    if (round > 0) rates.push((BATCH * BATCHES * 1000) / (performance.now() - started));
  }
  await sandbox.stop();
  const bytes = Math.round(texts.reduce((sum, text) => sum + text.length, 0) / texts.length);
  const refused = failures === 0 ? '' : `, ${((100 * failures) / (BATCH * BATCHES)).toFixed(1)} % refused`;
  const unit = decoderSplit(findPlugin('decoder', decoder)).kind === 'line' ? 'lines/s' : 'messages/s';
  return {
    what: what === undefined ? decoder : `${decoder}, ${what}`,
    value: median(rates),
    unit,
    note: `${bytes} characters each${refused}`,
  };
}

function batchFrom(texts: readonly string[], from: number): MessageBatch {
  const record = (_: unknown, i: number) => ({
    uuid: new Uint8Array(16),
    timestamp: READ_AT,
    type: 'logfile',
    payload: texts[(from + i) % texts.length] as string,
    fields: [],
  });
  return batchOf(Array.from({ length: BATCH }, record));
}

/** Returns how many records were refused. */
async function decodeAll(sandbox: Sandbox, batches: Iterable<MessageBatch> | AsyncIterable<MessageBatch>): Promise<number> {
  let failures = 0;
  const underWay: Promise<void>[] = [];
  for await (const batch of batches) {
    underWay.push(
      processed(sandbox, batch, null).then((result) => {
        failures += result.failures.length;
      }),
    );
    if (underWay.length >= IN_FLIGHT) await underWay.shift();
  }
  await Promise.all(underWay);
  return failures;
}

async function compare(sandboxes: Sandboxes): Promise<Figure[]> {
  const { path, lines } = largeLog(COPIES);
  const rate = (milliseconds: readonly number[]): number => (lines * 1000) / median(milliseconds);
  const sandbox = await start(sandboxes, 'nginx_access', { log_format: LOG_FORMAT });
  const ours = await times(async () => decodeAll(sandbox, batchesOf(path)));
  await sandbox.stop();
  const figures: Figure[] = [
    {
      what: 'access log: read and decode',
      value: rate(ours),
      unit: 'lines/s',
      note: `${lines} lines; all fields of all lines`,
    },
  ];
  const missing = PEERS.map(([tool]) => tool).filter((tool) => !isInstalled(tool));
  if (missing.length > 0) process.stdout.write(`${leftOut(missing)}\n`);
  for (const [tool, command] of PEERS) {
    if (missing.includes(tool)) continue;
    const theirs = await times(async () => spawnSync('sh', ['-c', command.replaceAll('{}', `'${path}'`)], { stdio: 'ignore' }));
    const ratio = (median(ours) / median(theirs)).toFixed(2);
    figures.push({
      what: `access log: ${tool.name}`,
      value: rate(theirs),
      unit: 'lines/s',
      note: `counts by status; our time is ${ratio} of its time`,
    });
  }
  return figures;
}

async function times(work: () => Promise<unknown>): Promise<number[]> {
  const result: number[] = [];
  for (let i = 0; i <= 3; i++) {
    const started = performance.now();
    await work();
    if (i > 0) result.push(performance.now() - started);
  }
  return result;
}

async function* batchesOf(path: string): AsyncGenerator<MessageBatch> {
  for await (const { batch } of readRecords(path)) yield batch;
}
