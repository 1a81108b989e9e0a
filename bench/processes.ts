import { existsSync, readFileSync } from 'node:fs';

/** Processor time, user and system, of a process and of those below it that live, in seconds; NaN where there is no /proc. */
export function treeCpuSeconds(pid: number | undefined): number {
  if (!existsSync(`/proc/${pid}/stat`)) return NaN;
  const numbers = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  const own = (Number(numbers[11]) + Number(numbers[12])) / 100;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + (treeCpuSeconds(Number(child)) || 0), own);
}
