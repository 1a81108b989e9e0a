import { expect, it } from 'vitest';
import { ResidentMemory, residentBytes } from '../../../electron/main/resident-memory.ts';
import { until } from '../../until.ts';

const OWN = { pid: process.pid, memory: { workingSetSize: 1024 } };

it('is that of the processes, measured at most once a second', async () => {
  let now = 0;
  let measured = 0;
  const memory = new ResidentMemory(
    () => {
      measured++;
      return [OWN];
    },
    () => now,
  );
  await until(() => memory.bytes > 0, 'the first measurement');
  expect(measured).toBe(1);
  now = 1000;
  expect(memory.bytes).toBeGreaterThan(0);
  expect(measured).toBe(2);
});

it.runIf(process.platform === 'linux')('counts files that processes map once, and none for those that have ended', async () => {
  const one = await residentBytes([process.pid]);
  const two = await residentBytes([process.pid, process.pid, 2 ** 22 + 1]);
  expect(one).toBeGreaterThan(10 * 2 ** 20);
  expect(two).toBeGreaterThan(one);
  expect(two).toBeLessThan(2 * one);
});
