import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { memoryOf, parentOf, weightOf } from '../../../../engine/base/process/process-memory.ts';

it('reads what a process has for itself, and what of files', () => {
  const status = 'Name:\tnode\nVmRSS:\t  110592 kB\nRssAnon:\t   61440 kB\nRssFile:\t   49152 kB\nRssShmem:\t       4 kB\n';
  expect(weightOf(status)).toEqual({ own: 61_444 * 1024, files: 49_152 * 1024 });
  expect(weightOf('')).toEqual({ own: 0, files: 0 });
});

const shareOf = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1]) * 1024;

it.runIf(process.platform === 'linux')('sums the shares of processes, and nothing of one that has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); process.stdin.resume()'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    await once(child.stdout, 'data');
    const pid = child.pid as number;
    const both = await memoryOf([process.pid, pid, 2 ** 30]);
    expect(Math.abs(both - shareOf(process.pid) - shareOf(pid))).toBeLessThan(20e6);
    expect(await memoryOf([pid])).toBeGreaterThan(5e6);
    expect(await parentOf(pid)).toBe(process.pid);
    expect(await parentOf(2 ** 30)).toBeNull();
  } finally {
    child.kill();
  }
});
