import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FileInput } from '../engine/inputs/file/file-input.ts';
import { compileMatcher } from '../engine/matcher/matcher.ts';
import { Pipeline } from '../engine/pipeline/pipeline.ts';
import { sandboxSpec } from '../engine/plugins/sandboxes.ts';
import { startSandboxes } from '../engine/plugins/starter.ts';
import { findPlugin } from '../engine/plugins/catalog.ts';
import type { Sandbox } from '../engine/sandbox/contract/types.ts';
import { median, percentile, type Figure } from './report.ts';
import { folder, LOG_FORMAT } from './samples.ts';

const LINES = 200;
const LINE = '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12 "-" "curl/8"\n';

/** From a line that is appended to a followed file until the filter has processed its message. */
export async function liveFigures(): Promise<Figure[]> {
  const path = join(folder, 'live-pipeline.log');
  writeFileSync(path, LINE);
  const sandboxes = startSandboxes();
  const pipeline = new Pipeline({ clock: 'wall' });
  let processed: () => void = () => undefined;
  pipeline.addFilter({
    name: 'http_status',
    matcher: compileMatcher('Fields[status] != NIL'),
    tickerInterval: 0,
    sandbox: watched(await sandboxes.start(sandboxSpec('filter', findPlugin('filter', 'http_status'))), () => processed()),
  });
  const config = { log_format: LOG_FORMAT, type: 'nginx.access' };
  pipeline.addInput({
    input: new FileInput({ name: 'live', paths: [path] }),
    decoder: await sandboxes.start(sandboxSpec('decoder', findPlugin('decoder', 'nginx_access'), { config })),
    sendDecodeFailures: false,
  });
  const times: number[] = [];
  const next = (): Promise<void> => new Promise((resolve) => (processed = resolve));
  const first = next();
  await pipeline.start();
  await first;
  for (let i = 0; i < LINES; i++) {
    await delay(10 + (i % 7) * 3);
    const done = next();
    const started = performance.now();
    appendFileSync(path, LINE);
    await done;
    times.push(performance.now() - started);
  }
  await pipeline.stop();
  await sandboxes.close();
  const figure = (what: string, value: number): Figure => ({ what: `live line until filtered: ${what}`, value, unit: 'ms' });
  return [
    figure('median', median(times)),
    { ...figure('99th percentile', percentile(times, 99)), note: `${LINES} lines, through input, decoder, router and filter` },
  ];
}

/** The sandbox, with word of every batch that it is done with. */
function watched(sandbox: Sandbox, done: () => void): Sandbox {
  return {
    spec: sandbox.spec,
    get state() {
      return sandbox.state;
    },
    process: async (batch, selection) => {
      const result = await sandbox.process(batch, selection);
      done();
      return result;
    },
    timer: (ns) => sandbox.timer(ns),
    report: () => sandbox.report(),
    stop: () => sandbox.stop(),
  };
}
