import { existsSync, readFileSync } from 'node:fs';

/** Processor time, user and system, of a process, in seconds; NaN where there is no /proc, or no such process. */
export function ownCpuSeconds(pid: number | undefined): number {
  if (!existsSync(`/proc/${pid}/stat`)) return NaN;
  const numbers = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(numbers[11]) + Number(numbers[12])) / 100;
}

/** The same of a process and of those below it that live. */
export function treeCpuSeconds(pid: number | undefined): number {
  const own = ownCpuSeconds(pid);
  if (Number.isNaN(own)) return NaN;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + (treeCpuSeconds(Number(child)) || 0), own);
}
