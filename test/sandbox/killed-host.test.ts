import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { batchOf } from '../../engine/message/builder.ts';
import { DEFAULT_LIMITS } from '../../engine/sandbox/index.ts';
import { message } from '../pipeline/fakes.ts';
import { SandboxBench } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const killHosts = (): void => bench.pool.hostPids.forEach((pid) => process.kill(pid, 'SIGKILL'));
const BUSY = `function process_message() {
  for (const end = Date.now() + 20; Date.now() < end; );
  inject_message({ Payload: read_message('Payload') });
  return 0;
}`;

describe('a sandbox whose host is killed from outside while it runs', () => {
  test('goes on with what it had not answered, but not when it happens again', async () => {
    const sandbox = await bench.start(BUSY, { kind: 'decoder', limits: { instructions: 0 } });
    const texts = Array.from({ length: 20 }, (_, i) => [`${i}`, `${i}b`]);
    const results = texts.map((pair) => sandbox.process(batchOf(pair.map((text) => message(text))), null));
    await delay(200);
    killHosts();
    const answered = await Promise.all(results);
    const payloads = answered.flatMap(({ injected, terminated }) => {
      expect(terminated).toBeNull();
      return Array.from({ length: injected?.length ?? 0 }, (_, row) => injected?.message(row).payload);
    });
    expect(payloads).toEqual(texts.flat());
    const again = sandbox.process(batchOf(Array.from({ length: 50 }, (_, i) => message(`${i}`))), null);
    await delay(200);
    killHosts();
    expect((await again).terminated?.reason).toMatch(/brought its host down \(SIGKILL\)/);
    expect(sandbox.state).toBe('terminated');
  });

  test('begins its call anew as an input, from the state that was kept', async () => {
    const script = bench.file(
      'killed-input.js',
      `var n = 0, once = true;
function process_message() { inject_message({ Pid: ++n }); if (n === 2) for (const end = Date.now() + 600; Date.now() < end; ); return 0; }`,
    );
    const sandbox = await bench.pool.createInput({
      ...{ name: 'source', kind: 'input', script, modules: [], config: {}, limits: DEFAULT_LIMITS, hostname: 'box1', pid: 42 },
    });
    const pids: (number | undefined)[] = [];
    const run = () =>
      sandbox.run(async (batch) => {
        for (let row = 0; row < batch.length; row++) pids.push(batch.message(row).pid);
      });
    await run();
    sandbox.checkpoint();
    const second = run();
    await delay(300);
    killHosts();
    expect(await second).toEqual({ code: 0, text: '' });
    await run();
    expect(pids).toEqual([1, 2, 3]);
    await sandbox.stop();
  });
});
