import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEngine, type BenchEngine } from './engine.ts';
import { LIVE, ofTheTime } from './peers.ts';
import { median, percentile, type Benchmark } from './report.ts';
import { folder } from './samples.ts';

const APPENDS = 60;
const line = (path: string): string => `192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 12 "-" "curl/8"\n`;

/** From a line that is written to a followed file until the view that shows it says so to the shell. */
export const liveBenchmark: Benchmark = {
  name: 'live',
  title: `A line that is appended, until the view has it (${APPENDS} lines)`,
  async run() {
    const path = join(folder, 'live.log');
    writeFileSync(path, line('/').repeat(100));
    const engine = await startEngine(join(folder, 'live'));
    await engine.open(path);
    await following(engine);
    const { view } = await engine.request('view.open', { query: {} });
    const times: number[] = [];
    for (let i = 0; i < APPENDS; i++) {
      await delay(60 + (i % 7) * 11);
      times.push(await append(engine, view, path, 101 + i));
    }
    await engine.stop();
    return [
      { what: 'median', value: median(times), unit: 'ms', note: `${ofTheTime(median(times), LIVE.median)}, painted there` },
      { what: '95th percentile', value: percentile(times, 95), unit: 'ms', note: ofTheTime(percentile(times, 95), LIVE.percentile95) },
      { what: '99th percentile', value: percentile(times, 99), unit: 'ms' },
      { what: 'longest', value: Math.max(...times), unit: 'ms' },
    ];
  },
};

async function append(engine: BenchEngine, view: number, path: string, total: number): Promise<number> {
  const seen = new Promise<void>((resolve) => {
    engine.onEvent((name, data) => {
      const change = data as { view: number; total: number };
      if (name === 'view.changed' && change.view === view && change.total >= total) resolve();
    });
  });
  const started = performance.now();
  appendFileSync(path, line(`/${total}`));
  await seen;
  return performance.now() - started;
}

async function following(engine: BenchEngine): Promise<void> {
  for (;;) {
    const { sources } = await engine.request('engine.state', {});
    if (sources.every(({ state }) => state === 'following')) return;
    await delay(10);
  }
}
