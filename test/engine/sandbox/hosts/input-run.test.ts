import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../../engine/message/types.ts';
import { DEFAULT_LIMITS, type InputSandbox, type InputStatus, type Termination } from '../../../../engine/sandbox/contract/types.ts';
import { number, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

function start(source: string, preservation?: string): Promise<InputSandbox> {
  const script = bench.file(`input-${Math.random()}.js`, source);
  return bench.pool.createInput({
    ...{ name: 'source', kind: 'input', script, modules: [], config: { n: 3 }, limits: DEFAULT_LIMITS, hostname: 'box1', pid: 42 },
    ...(preservation === undefined ? {} : { preservation }),
  });
}

interface Run {
  readonly end: InputStatus | Termination;
  readonly messages: Message[];
  readonly pieces: number;
}

async function runOnce(sandbox: InputSandbox, pause = 0): Promise<Run> {
  const messages: Message[] = [];
  let pieces = 0;
  const end = await sandbox.run(async (batch) => {
    pieces++;
    for (let row = 0; row < batch.length; row++) messages.push(batch.message(row));
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  });
  return { end, messages, pieces };
}

describe('an input', () => {
  test('injects messages as they are, and is run again', async () => {
    const sandbox = await start(
      `let n = 0; function process_message() { inject_message({ Type: 't', Logger: 'l', Hostname: 'h', Fields: { n: ++n, c: read_config('n') } }); return 0; }`,
    );
    for (const n of [1, 2]) {
      const { end, messages } = await runOnce(sandbox);
      expect(end).toEqual({ code: 0, text: '' });
      expect(messages).toEqual([
        expect.objectContaining({ type: 't', logger: 'l', hostname: 'h', fields: [number('n', n), number('c', 3)] }),
      ]);
    }
    expect(await sandbox.report()).toMatchObject({ state: 'running', processed: 2, injected: 2, failures: 0 });
    await sandbox.stop();
    expect(sandbox.state).toBe('stopped');
  });

  test('is the Logger of its messages, and this host their Hostname, where the script sets none', async () => {
    const sandbox = await start(
      `function process_message() { inject_message({}); inject_message({ Logger: 'l' }); inject_message({ Hostname: 'h', Logger: '' }); return 0; }`,
    );
    const { messages } = await runOnce(sandbox);
    expect(messages.map(({ logger, hostname }) => [logger, hostname])).toEqual([
      ['source', 'box1'],
      ['l', 'box1'],
      ['', 'h'],
    ]);
    await sandbox.stop();
  });

  test('has no limit of steps, sends in pieces, and waits while they are taken', async () => {
    const sandbox = await start(
      `function process_message() { for (let i = 0; i < 3000; i++) { for (let k = 0; k < 1000; k++); inject_message({ Pid: i }); } return [-1, 'half']; }`,
    );
    const { end, messages, pieces } = await runOnce(sandbox, 5);
    expect(end).toEqual({ code: -1, text: 'half' });
    expect(messages.map(({ pid }) => pid)).toEqual(Array.from({ length: 3000 }, (_, i) => i));
    expect(pieces).toBeGreaterThan(5);
    expect(await sandbox.report()).toMatchObject({ failures: 1, lastError: 'half' });
    await sandbox.stop();
  });

  test('has only the functions of an input', async () => {
    const names = [
      'read_message',
      'write_message',
      'add_to_payload',
      'inject_payload',
      'read_next_field',
      'read_integer',
      'message_writer',
      'inject_message',
      'require',
    ];
    const sandbox = await start(
      `function process_message() { inject_message({ Payload: ${JSON.stringify(names)}.filter((name) => name in globalThis).join() }); return 0; }`,
    );
    expect((await runOnce(sandbox)).messages[0]?.payload).toBe('inject_message,require');
    await sandbox.stop();
  });

  test.each([
    ['return [1, "no more"]', { code: 1, text: 'no more' }],
    ['null.x', expect.objectContaining({ code: 'script.throws', reason: expect.stringContaining('TypeError') as string, row: -1 })],
    ['return "x"', { code: 'script.return', reason: 'process_message() must return a number', row: -1 }],
  ])('ends by %s', async (code, expected) => {
    const sandbox = await start(`function process_message() { inject_message({ Pid: 1 }); ${code}; }`);
    const { end, messages } = await runOnce(sandbox);
    expect(end).toEqual(expected);
    expect(messages).toHaveLength(1);
    expect(sandbox.state).toBe('terminated');
  });

  test.each([
    ['injects for ever', 'for (let i = 0; ; i++) inject_message({ Pid: i });'],
    ['is busy for ever', 'for (;;);'],
    ['does not listen', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);'],
  ])('that %s is stopped', async (_title, code) => {
    const sandbox = await start(`function process_message() { ${code} }`);
    const running = runOnce(sandbox, 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await sandbox.stop();
    expect((await running).end).toMatchObject({ row: -1 });
    expect(sandbox.state).not.toBe('running');
  });

  test('whose messages nobody takes is stopped', async () => {
    const sandbox = await start(`function process_message() { for (;;) inject_message({ Pid: 1 }); }`);
    const offered = Promise.withResolvers<void>();
    const running = sandbox.run(() => {
      offered.resolve();
      return new Promise(() => undefined);
    });
    await offered.promise;
    await sandbox.stop();
    expect(await running).toEqual({ code: 'sandbox.stopped', reason: 'it was stopped while it was at work', row: -1 });
  });

  test('is stopped also when its host dies just before it would be killed', async () => {
    const sandbox = await start(`function process_message() { Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }`);
    const running = runOnce(sandbox);
    const stopped = sandbox.stop();
    await new Promise((resolve) => setTimeout(resolve, 1950));
    for (const pid of bench.pool.hostPids) process.kill(pid, 'SIGKILL');
    await stopped;
    expect((await running).end).toMatchObject({ row: -1 });
    expect(bench.pool.hostPids).toEqual([]);
  });

  test('keeps its state when it is stopped', async () => {
    const file = join(bench.folder, 'input.data');
    const source = `var n = 0; function process_message() { if (n > 0) { inject_message({ Pid: n }); return 0; } for (;;) if (n++ % 1000 === 0) inject_message({ Pid: n }); }`;
    const first = await start(source, file);
    const begun = Promise.withResolvers<void>();
    const running = first.run(async () => begun.resolve());
    await begun.promise;
    await first.stop();
    expect(await running).toEqual({ code: 'sandbox.stopped', reason: 'shutting down', row: -1 });
    const second = await start(source, file);
    expect((await runOnce(second)).messages[0]?.pid).toBeGreaterThan(0);
    await second.stop();
  });
});
