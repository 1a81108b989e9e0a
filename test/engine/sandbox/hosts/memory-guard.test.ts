import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { MemoryGuard, ownMemoryOf } from '../../../../engine/sandbox/hosts/memory-guard.ts';

const MIB = 1 << 20;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that takes so many megabytes for each line that it gets, and answers. */
async function hungryProcess(): Promise<{ readonly child: ChildProcess; readonly pid: number; readonly eat: (megabytes: number) => void }> {
  const code = `const kept = []; console.log('ready');
    process.stdin.on('data', (text) => { for (let i = 0; i < Number(text); i++) kept.push(Buffer.alloc(1 << 20, 1)); console.log('ate'); });`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data');
  return { child, pid: child.pid ?? 0, eat: (megabytes) => child.stdin.write(String(megabytes)) };
}

describe.runIf(process.platform === 'linux')('the memory guard', () => {
  test('kills a busy process that takes more than its bound, and says so', async () => {
    const { child, pid, eat } = await hungryProcess();
    const guard = MemoryGuard.of(pid);
    guard?.bound((ownMemoryOf(pid) ?? 0) + 64 * MIB);
    guard?.busy(true);
    eat(16);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    expect(guard?.heavy).toBe(false);
    eat(400);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(guard?.heavy).toBe(true);
    guard?.release();
  });

  test('leaves one alone that has no bound, that is not busy, or that is not its own any more', async () => {
    const processes = await Promise.all([hungryProcess(), hungryProcess(), hungryProcess()]);
    const guards = processes.map(({ pid }) => MemoryGuard.of(pid));
    const [free, idle, released] = guards;
    free?.busy(true);
    idle?.bound(MIB);
    released?.release();
    released?.busy(true);
    for (const { child, eat } of processes) {
      eat(50);
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      expect(child.exitCode ?? child.signalCode).toBeNull();
    }
    expect(guards.map((guard) => guard?.heavy)).toEqual([false, false, false]);
    for (const guard of guards) guard?.release();
  });

  test('sees a bound that is lowered while the process is busy', async () => {
    const { child, pid } = await hungryProcess();
    const guard = MemoryGuard.of(pid);
    guard?.busy(true);
    guard?.bound(MIB);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    guard?.release();
  });

  test('reads what a process has for itself', async () => {
    const { child, pid, eat } = await hungryProcess();
    const before = ownMemoryOf(pid) ?? 0;
    eat(100);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    expect((ownMemoryOf(pid) ?? 0) - before).toBeGreaterThan(90 * MIB);
    expect(ownMemoryOf(0)).toBeNull();
  });
});
