import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuByKind, memoryByKind, type ByKind } from './process-memory.ts';
import { median, percentile, type Benchmark, type Figure } from './report.ts';
import { folder, largeLog, root } from './samples.ts';

const RUNS = 3;
/** Copies of the sample log that make about so many lines. */
const ONE_MILLION = 80;
/** Milliseconds of rest before memory is measured. */
const REST_MS = 1500;

/** What the page saw: milliseconds since 1970, 0 for what did not happen. */
interface Seen {
  readonly usable: number;
  readonly rows: number;
  readonly read: number;
  readonly records: number;
  /** Milliseconds between frames from `usable` on. */
  readonly frames: readonly number[];
}

interface Run {
  readonly started: number;
  readonly shown: number;
  readonly seen: Seen;
  /** MiB by kind of process. */
  readonly memory: ByKind;
  /** Seconds of processor time until the page had seen all, by kind of process. */
  readonly cpu: ByKind;
}

/** The real window: start, first rows, the time until all is read, frames meanwhile, and memory. */
export const windowBenchmark: Benchmark = {
  name: 'window',
  title: `The window (median of ${RUNS}; memory: PSS)`,
  async run() {
    if (process.env.SLUICEBOX_ELECTRON === undefined)
      return [{ what: 'left out', value: NaN, unit: 'ms', note: 'npm run bench -- window' }];
    const figures = await measure('empty', null);
    const millions = process.env.SLUICEBOX_BENCH_MILLIONS?.split(',').map(Number) ?? [1];
    for (const million of millions) figures.push(...(await measure(`${million} M lines`, largeLog(million * ONE_MILLION).path)));
    return figures;
  },
};

async function measure(name: string, file: string | null): Promise<Figure[]> {
  const data = join(folder, 'window');
  // The first run fills the caches of compiled code.
  await runWindow(data, file);
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await runWindow(data, file));
  const ms = (what: string, of: (run: Run) => number): Figure => ({ what: `${name}: ${what}`, value: median(runs.map(of)), unit: 'ms' });
  const figures = [
    ms('start to shown', ({ started, shown }) => shown - started),
    ms('start to usable', ({ started, seen }) => seen.usable - started),
  ];
  if (file !== null) figures.push(...reading(name, runs, ms));
  return [...figures, ...memoryFigures(name, runs)];
}

function reading(name: string, runs: readonly Run[], ms: (what: string, of: (run: Run) => number) => Figure): Figure[] {
  const frames = runs.flatMap(({ seen }) => seen.frames);
  return [
    ms('shown to first rows', ({ shown, seen }) => seen.rows - shown),
    {
      ...ms('start to all read', ({ started, seen }) => seen.read - started),
      note: `${(runs[0]?.seen.records ?? 0).toLocaleString('en')} records`,
    },
    cpuFigure(name, runs),
    { what: `${name}: frames, median`, value: median(frames), unit: 'ms' },
    { what: `${name}: frames, 95th percentile`, value: percentile(frames, 95), unit: 'ms' },
  ];
}

function cpuFigure(name: string, runs: readonly Run[]): Figure {
  const { total, parts } = middle(runs.map(({ cpu }) => cpu));
  const note = parts.map(([kind, seconds]) => `${kind} ${Math.round(seconds * 1000)}`).join(', ');
  return { what: `${name}: processor time until then`, value: total * 1000, unit: 'ms', note };
}

function memoryFigures(name: string, runs: readonly Run[]): Figure[] {
  const { total, parts } = middle(runs.map(({ memory }) => memory));
  const note = parts.map(([kind, size]) => `${kind} ${Math.round(size)}`).join(', ');
  return [{ what: `${name}: memory of all processes`, value: total, unit: 'MiB', note }];
}

/** The run whose total is the median. */
function middle(runs: readonly ByKind[]): { readonly total: number; readonly parts: readonly (readonly [string, number])[] } {
  const totals = runs.map((kinds) => ({ total: [...kinds.values()].reduce((sum, one) => sum + one, 0), parts: [...kinds] }));
  return totals.sort((a, b) => a.total - b.total)[runs.length >> 1] ?? { total: NaN, parts: [] };
}

/** Opens the window, waits until everything is read, and closes it. */
async function runWindow(data: string, file: string | null): Promise<Run> {
  for (const name of ['workspace.toml', 'recent.json']) rmSync(join(data, name), { force: true });
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const started = Date.now();
  const child = spawn(
    process.env.SLUICEBOX_ELECTRON as string,
    [
      '--require',
      join(import.meta.dirname, 'window-probe.cjs'),
      root,
      ...sandbox,
      '--log-level=3',
      `--user-data-dir=${data}`,
      '--',
      ...(file ? [file] : []),
    ],
    { env: { ...process.env, SLUICEBOX_BENCH_FILES: file === null ? '0' : '1' }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const ended = new Promise((done) => child.once('exit', done));
  try {
    let shown: number | null = null;
    let seen: Seen | null = null;
    for await (const line of createInterface({ input: child.stdout })) {
      const { mark, value, at } = JSON.parse(line) as { mark: string; value: unknown; at: number };
      if (mark === 'failed') throw new Error(`The page of the window failed: ${String(value)}`);
      if (mark === 'shown') shown = at;
      else seen = value as Seen;
      if (shown === null || seen === null) continue;
      const cpu = cpuByKind(child.pid as number);
      await delay(REST_MS);
      return { started, shown, seen, cpu, memory: memoryByKind(child.pid as number) };
    }
    throw new Error('The window closed before everything was read.');
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
