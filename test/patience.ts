import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/** How long a wait of a test may last on a machine that has little else to do; the configuration says of which tests it may be so many times as long. */
const WAIT_MS = 10_000 * Number(process.env['SLUICEBOX_PATIENCE'] ?? 1);
/** The same for a whole test: it is known before the test begins, and the machine may become busy while it runs. */
const TEST_MS = 180_000;
const MOST_TIMES = 15;

/** Processes at work: the average of the last minute, or the number of now where the system tells it and it is higher. */
function loadNow(): number {
  const average = loadavg()[0] ?? 0;
  if (process.platform !== 'linux') return average;
  const now = Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0);
  return Math.max(average, now);
}

/** How many times as long everything takes: 1 on a machine with no more processes at work than cores. */
export const slowness = (load = loadNow(), cores = availableParallelism()): number => Math.min(MOST_TIMES, Math.max(1, load / cores));

/** How long a wait may last now. */
export const patienceMs = (load = loadNow()): number => Math.round(WAIT_MS * slowness(load));

/** How long a test may last that begins now. */
export const testMs = (): number => Math.round(TEST_MS * slowness());
