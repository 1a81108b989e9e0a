import { afterAll, describe, expect, test } from 'vitest';
import {
  DEFAULT_LIMITS,
  type InputSandbox,
  type ReadAnswer,
  type ScriptSource,
  type SourceForm,
} from '../../engine/sandbox/contract/types.ts';
import { until } from '../until.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../engine/sandbox/harness.ts';

const bench = new SandboxBench({ hosts: 1, graceMs: 300 });
afterAll(() => bench.close());

const CHUNK = 'x'.repeat(65_536);

function start(code: string, reads: SourceForm = 'chunks'): Promise<InputSandbox> {
  const script = bench.file(`reading-${Math.random()}.js`, `function process_message() { ${code} }`);
  return bench.pool.createInput({
    name: 'source',
    kind: 'input',
    script,
    modules: [],
    config: {},
    limits: DEFAULT_LIMITS,
    hostname: 'box1',
    pid: 42,
    reads,
  });
}

/** A source that never ends, and brings again what is given back. */
function endless(text = CHUNK): ScriptSource & { reads: number } {
  return {
    reads: 0,
    async read({ rest, form }): Promise<ReadAnswer> {
      this.reads++;
      const given = 'x'.repeat(rest) + text;
      const whole = { name: 'a', ended: false };
      return form === 'bytes' ? { kind: 'bytes', bytes: Buffer.from(given), ...whole } : { kind: 'text', text: given, ...whole };
    },
    rewind: () => undefined,
    mayInterrupt: () => true,
  };
}

/** Someone on another host, who is to notice nothing. */
const witness = bench.start(`function process_message() { inject_message({ Payload: read_message('Payload') + '!' }); return 0; }`, {
  kind: 'filter',
});

async function askWitness(): Promise<void> {
  const result = await (await witness).process(batchOf([line('there')]), null);
  expect(messagesOf(result).map(({ payload }) => payload)).toEqual(['there!']);
}

describe('a hostile script that reads', () => {
  test.each<[string, string, RegExp]>([
    ['for ever without taking anything', `let t = ''; for (;;) t = read_input(t);`, /the rest is longer than|memory_limit/],
    ['bytes for ever without taking anything', `let b = read_bytes(); for (;;) b = read_bytes(b);`, /the rest is longer than|memory_limit/],
    ['and keeps all of it', `const all = []; for (;;) all.push(read_input() + all.length);`, /memory_limit/],
    [
      'with a rest that is not text',
      `read_input(); read_input({ get length() { return 1; }, toString: () => 'x' });`,
      /the rest must be a text/,
    ],
    [
      'with a rest that lies',
      `read_bytes(); class B extends Uint8Array { get length() { return 1; } } read_bytes(new B(1e6));`,
      /the rest must be the end/,
    ],
    ['with detached bytes', `const b = read_bytes(); b.buffer.transfer(); read_bytes(b);`, /detached/],
    [
      'in the middle of a message',
      `inject_message({ Fields: { a: { toPayload() { for (;;) read_input('x'); } } } });`,
      /can be given back/,
    ],
    [
      'and breaks what reading stands on',
      `String.prototype.endsWith = () => true; read_input(); read_input('y');`,
      /the rest must be the end|read only/,
    ],
  ])('%s', async (_how, code, reason) => {
    const sandbox = await start(code);
    const attacked = sandbox.run(async () => undefined, endless());
    await askWitness();
    const end = await attacked;
    expect('reason' in end ? end.reason : 'it has not ended').toMatch(reason);
    await askWitness();
    await sandbox.stop();
  });

  test.each<[string, string]>([
    ['for ever behind the end', `for (;;) read_input();`],
    ['for ever what is there', `for (;;) read_bytes();`],
    ['without an end and without a pause for the engine', `read_input(); for (;;);`],
  ])('%s can be stopped', async (how, code) => {
    const sandbox = await start(code);
    const source = endless('ab');
    const ended: ScriptSource = { ...source, read: async () => ({ kind: 'end' }) };
    let read = 0;
    const counted: ScriptSource = { ...source, read: (request) => (read++, source.read(request)) };
    const running = sandbox.run(async () => undefined, how.includes('end') && how.startsWith('for') ? ended : counted);
    if (how.startsWith('for ever what')) await until(() => read > 3, 'the readings');
    await askWitness();
    await sandbox.stop();
    expect(await running).toMatchObject({ row: -1 });
    expect(sandbox.state).not.toBe('running');
  });

  test('is not a match for a source that brings too much at once', async () => {
    const sandbox = await start(`const t = read_input(); return t.length > 0 ? 0 : 1;`, 'whole');
    const end = await sandbox.run(async () => undefined, endless('ü'.repeat(48 << 20)));
    expect('reason' in end ? end.reason : '').toMatch(/memory_limit/);
    await askWitness();
    await sandbox.stop();
  });
});
