import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, type Benchmark, type Figure } from './report.ts';
import { startEngine } from './engine.ts';
import { folder, LOG_FORMAT, root } from './samples.ts';

const RUNS = 5;

/** Measures start times as a user sees them. */
export const startBenchmark: Benchmark = {
  name: 'start',
  title: `Start (median of ${RUNS})`,
  async run() {
    const one = join(folder, 'one.log');
    writeFileSync(one, '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12 "-" "curl/8"\n');
    const figures: Figure[] = [
      { what: 'sluicebox --version', value: await command(['--version']), unit: 'ms' },
      {
        what: 'sluicebox decode, one line',
        value: await command(['decode', 'nginx_access', '-s', `log_format=${LOG_FORMAT}`, one]),
        unit: 'ms',
      },
      { what: 'engine until it answers', value: await engineStart(), unit: 'ms' },
    ];
    return figures;
  },
};

async function command(args: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const started = performance.now();
    const child = spawn(process.execPath, [join(root, 'bin', 'sluicebox'), ...args], { stdio: 'ignore' });
    await once(child, 'exit');
    // The first run fills the compile cache.
    if (run > 0) times.push(performance.now() - started);
  }
  return median(times);
}

async function engineStart(): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const started = performance.now();
    const engine = await startEngine(join(folder, `start-${run}`));
    // The first run fills the compile cache.
    if (run > 0) times.push(performance.now() - started);
    await engine.stop();
  }
  return median(times);
}
