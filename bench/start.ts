import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median, type Benchmark, type Figure } from './report.ts';
import { startEngine } from './engine.ts';
import { treeCpuSeconds } from './processes.ts';
import { folder, LOG_FORMAT, root } from './samples.ts';

const RUNS = 5;
/** Sizes of the large service. */
const [FILES, FILTERS] = [500, 50];
const LINES = 20;
const LOOK_MS = 100;

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
      { what: `service, ${FILES} FileInputs with decoder = "auto", ${FILTERS} filters: CPU`, value: await serviceStart('each'), unit: 's' },
      { what: `the same, one FileInput with a pattern: CPU`, value: await serviceStart('pattern'), unit: 's' },
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

/** Processor time of a service with many files of several kinds until the last one is recognised. */
async function serviceStart(by: 'each' | 'pattern'): Promise<number> {
  const base = join(folder, `service-${by}`);
  mkdirSync(join(base, 'logs'), { recursive: true });
  const samples = join(root, 'resources/samples');
  const kinds = readdirSync(samples).map((name) => readFileSync(join(samples, name), 'utf8').split('\n').slice(0, LINES).join('\n'));
  const paths = Array.from({ length: FILES }, (_, i) => join(base, 'logs', `${i}.log`));
  for (const [i, path] of paths.entries()) writeFileSync(path, `${kinds[i % kinds.length]}\n`);
  const input = (name: string, path: string): string => `[${name}]\ntype = "FileInput"\npaths = ["${path}"]\ndecoder = "auto"\n`;
  const inputs = by === 'each' ? paths.map((path, i) => input(`input${i}`, path)) : [input('inputs', join(base, 'logs', '*.log'))];
  const filters = Array.from({ length: FILTERS }, (_, i) => {
    const script = join(base, `${i}.js`);
    writeFileSync(script, `let seen = ${i};\nfunction process_message() { seen++; return 0; }\nfunction timer_event() {}\n`);
    return `[filter${i}]\ntype = "SandboxFilter"\nfilename = "${script}"\nmessage_matcher = "Fields[status] == ${500 + i}"\n`;
  });
  const config = join(base, 'service.toml');
  writeFileSync(config, [`[svcd]\nbase_dir = "${join(base, 'base')}"\n`, ...inputs, ...filters].join(''));
  const child = spawn(process.execPath, [join(root, 'bin', 'sluicebox'), 'run', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let recognised = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => (recognised += text.split(': decoded by ').length - 1));
  while (recognised < FILES && child.exitCode === null) await delay(LOOK_MS);
  const used = treeCpuSeconds(child.pid);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return used;
}
