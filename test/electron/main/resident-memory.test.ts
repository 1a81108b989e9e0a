import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { ResidentMemory } from '../../../electron/main/resident-memory.ts';
import { memoryOf } from '../../../engine/base/process/process-memory.ts';
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

it.runIf(process.platform === 'linux')('counts the processes through which others were started', async () => {
  const script =
    "require('node:child_process').spawn(process.execPath, ['-e', 'console.log(process.pid); process.stdin.resume()'], { stdio: 'inherit' })";
  const zygote = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    const [page] = (await once(zygote.stdout, 'data')) as [Buffer];
    const memory = new ResidentMemory(() => [{ pid: Number(page), memory: { workingSetSize: 1 } }]);
    await until(() => memory.bytes > 0, 'the measurement');
    const without = await memoryOf([process.pid, Number(page)]);
    expect(memory.bytes - without).toBeGreaterThan((await memoryOf([zygote.pid as number])) / 2);
  } finally {
    zygote.stdin.end();
    zygote.kill();
  }
});
