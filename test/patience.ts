import { availableParallelism, loadavg } from 'node:os';

/** How long a wait of a test may last on a machine that has little else to do. */
const WAIT_MS = 10_000;
/** The same for a whole test. */
const TEST_MS = 60_000;
const MOST_TIMES = 15;

/** How many times as long everything takes: 1 on a machine with no more processes at work than cores. */
export const slowness = (load = loadavg()[0] ?? 0, cores = availableParallelism()): number =>
  Math.min(MOST_TIMES, Math.max(1, load / cores));

/** How long a wait may last now. */
export const patienceMs = (): number => WAIT_MS * slowness();

/** How long a test may last that begins now. */
export const testMs = (): number => TEST_MS * slowness();
