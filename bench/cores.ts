import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** A number of cores to measure on: one, or all of the machine. */
export interface Cores {
  readonly count: number;
  readonly text: string;
}

/**
 * Runs work on one core, then on all; processes that it starts run on the same cores. Without `taskset` (Linux only) or a second core it
 * runs only once.
 */
export async function onCores<T>(work: (cores: Cores) => Promise<T>): Promise<T[]> {
  const count = availableParallelism();
  const all = { count, text: count === 1 ? '1 core' : `${count} cores` };
  const before = affinity();
  if (count === 1 || before === null || !setAffinity(before.split(/[,-]/)[0] as string)) return [await work(all)];
  let one: T;
  try {
    one = await work({ count: 1, text: '1 core' });
  } finally {
    setAffinity(before);
  }
  return [one, await work(all)];
}

/** The cores that this process may use, as a list such as `0-3,8`. */
function affinity(): string | null {
  const { status, stdout } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
  return status === 0 ? (/: (\S+)\s*$/.exec(stdout)?.[1] ?? null) : null;
}

/** Sets the cores of all threads of this process. */
function setAffinity(list: string): boolean {
  return spawnSync('taskset', ['-acp', list, String(process.pid)], { stdio: 'ignore' }).status === 0;
}
