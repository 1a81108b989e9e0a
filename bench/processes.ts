import { readFileSync } from 'node:fs';

/** Processor time, user and system, of a process, in seconds; NaN where there is no /proc, or no such process. */
export function ownCpuSeconds(pid: number | undefined): number {
  return timeOf(pid)?.seconds ?? NaN;
}

/** The same of a process and of those below it that live. */
export function treeCpuSeconds(pid: number | undefined): number {
  const times = [...processorTimes(pid).values()];
  return times.length === 0 ? NaN : times.reduce((sum, seconds) => sum + seconds, 0);
}

/** Processor time in seconds of a process and of those below it, each by its own, that live. */
export function processorTimes(pid: number | undefined, times = new Map<string, number>()): ReadonlyMap<string, number> {
  const time = timeOf(pid);
  if (time === null) return times;
  times.set(time.key, time.seconds);
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
    for (const child of children) processorTimes(Number(child), times);
  } catch {
    // It has ended meanwhile.
  }
  return times;
}

/** null: it has ended, or there is no /proc. */
function timeOf(pid: number | undefined): { readonly key: string; readonly seconds: number } | null {
  try {
    const numbers = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^[^]*\) /, '')
      .split(' ');
    // With the time of its start, as numbers of processes come again.
    return { key: `${pid} ${numbers[19]}`, seconds: (Number(numbers[11]) + Number(numbers[12])) / 100 };
  } catch {
    return null;
  }
}
