import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generatedLog } from './logs.ts';
import { cpuByKind, memoryByKind, type ByKind } from './process-memory.ts';
import { median, percentile, type Benchmark, type Figure } from './report.ts';
import { folder } from './samples.ts';
import { peerFigures } from './window-peers.ts';
import { withWindow } from './window-process.ts';
import { useFigures } from './window-use.ts';

/** Milliseconds of rest before memory is measured: what reading took is given back within three seconds. */
const REST_MS = 4000;

/** Times at which the page saw each step, in milliseconds since 1970; 0: it did not happen. */
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
  title: 'The window (medians; memory: PSS)',
  async run({ lines, rounds }) {
    if (process.env.SLUICEBOX_ELECTRON === undefined)
      return [{ what: 'left out', value: NaN, unit: 'ms', note: 'npm run bench -- window' }];
    const { path } = generatedLog('access', lines);
    const name = `${lines.toLocaleString('en')} lines`;
    const empty = await measure('empty', null, rounds);
    const peers = await peerFigures(name, path, rounds);
    // The file grows at last.
    return [...empty, ...(await measure(name, path, rounds)), ...peers];
  },
};

async function measure(name: string, file: string | null, rounds: number): Promise<Figure[]> {
  const data = join(folder, 'window');
  // The first run fills the caches of compiled code.
  await runWindow(data, file);
  const runs: Run[] = [];
  for (let run = 0; run < rounds; run++) runs.push(await runWindow(data, file));
  const ms = (what: string, of: (run: Run) => number): Figure => ({ what: `${name}: ${what}`, value: median(runs.map(of)), unit: 'ms' });
  const figures = [
    ms('start to shown', ({ started, shown }) => shown - started),
    ms('start to usable', ({ started, seen }) => seen.usable - started),
  ];
  if (file !== null) figures.push(...reading(name, runs, ms));
  figures.push(...memoryFigures(name, runs));
  return file === null ? figures : [...figures, ...(await useFigures(name, data, file))];
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
function runWindow(data: string, file: string | null): Promise<Run> {
  return withWindow({ data, file }, async ({ started, pid, marks }) => {
    let shown: number | null = null;
    let seen: Seen | null = null;
    for await (const { mark, value, at } of marks) {
      if (mark === 'shown') shown = at;
      else seen = value as Seen;
      if (shown === null || seen === null) continue;
      const cpu = cpuByKind(pid);
      await delay(REST_MS);
      return { started, shown, seen, cpu, memory: memoryByKind(pid) };
    }
    throw new Error('The window closed before everything was read.');
  });
}
