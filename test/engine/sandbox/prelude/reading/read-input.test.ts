import { afterAll, describe, expect, test } from 'vitest';
import type { HostCrash } from '../../../../../engine/sandbox/hosts/host-process.ts';
import {
  DEFAULT_LIMITS,
  type InputSandbox,
  type InputStatus,
  type ReadAnswer,
  type ReadRequest,
  type ScriptSource,
  type SourceForm,
  type Termination,
} from '../../../../../engine/sandbox/contract/types.ts';
import { until } from '../../../../until.ts';
import { SandboxBench } from '../../harness.ts';

const crashes: HostCrash[] = [];
const bench = new SandboxBench({ onHostCrash: (crash) => crashes.push(crash) });
afterAll(() => bench.close());

function start(code: string, reads: SourceForm | null = 'chunks', preservation?: string): Promise<InputSandbox> {
  const script = bench.file(
    `reads-${Math.random()}.js`,
    code.includes('process_message') ? code : `function process_message() { ${code}; return 0; }`,
  );
  const limits = DEFAULT_LIMITS;
  return bench.pool.createInput({
    ...{ name: 'source', kind: 'input', script, modules: [], config: {}, limits, hostname: 'box1', pid: 42 },
    ...(reads === null ? {} : { reads }),
    ...(preservation === undefined ? {} : { preservation }),
  });
}

const text = (value: string, ended = false): ReadAnswer => ({ kind: 'text', text: value, name: 'a.log', ended });
const bytes = (...values: number[]): ReadAnswer => ({ kind: 'bytes', bytes: Uint8Array.from(values), name: 'a.bin', ended: false });
const records = (...values: string[]): ReadAnswer => {
  const ends: number[] = [];
  values.reduce((at, value) => (ends.push(at + value.length), at + value.length), 0);
  return { kind: 'records', text: values.join(''), ends: Uint32Array.from(ends), name: 'a.log' };
};

/** A source that gives what is listed, then the end, and remembers what it was asked. */
class Listed implements ScriptSource {
  readonly asked: ReadRequest[] = [];
  rewinds = 0;
  readonly #answers: ReadAnswer[];
  constructor(...answers: ReadAnswer[]) {
    this.#answers = answers;
  }
  async read(request: ReadRequest): Promise<ReadAnswer> {
    this.asked.push(request);
    return this.#answers.shift() ?? { kind: 'end' };
  }
  rewind(): void {
    this.rewinds++;
  }
  mayInterrupt(): boolean {
    return true;
  }
}

interface Run {
  readonly end: InputStatus | Termination;
  readonly payloads: (string | undefined)[];
}

async function run(sandbox: InputSandbox, source: ScriptSource): Promise<Run> {
  const payloads: (string | undefined)[] = [];
  const end = await sandbox.run(async (batch) => {
    for (let row = 0; row < batch.length; row++) payloads.push(batch.message(row).payload);
  }, source);
  await sandbox.stop();
  return { end, payloads };
}

const ALL = `for (let t = read_input(); t !== null; t = read_input()) inject_message({ Payload: t })`;
const FINE: InputStatus = { code: 0, text: '' };

describe('an input reads', () => {
  test('texts, to the end, which stays the end', async () => {
    const source = new Listed(text('a'), text('äöü'), text('😀'.repeat(10_000)));
    const { end, payloads } = await run(await start(`${ALL}; inject_message({ Payload: String(read_input()) })`), source);
    expect([end, payloads]).toEqual([FINE, ['a', 'äöü', '😀'.repeat(10_000), 'null']]);
    expect(source.asked.map(({ form, rest }) => [form, rest])).toEqual(Array.from({ length: 4 }, () => ['text', 0]));
  });

  test('bytes as they are', async () => {
    const code = `for (let b = read_bytes(); b !== null; b = read_bytes(b.subarray(1))) inject_message({ Payload: [...b].join() })`;
    const source = new Listed(bytes(0, 128, 255), bytes(128, 255, 1));
    expect((await run(await start(code), source)).payloads).toEqual(['0,128,255', '128,255,1']);
    expect(source.asked.map(({ form, rest }) => [form, rest])).toEqual([
      ['bytes', 0],
      ['bytes', 2],
      ['bytes', 2],
    ]);
  });

  test('lines, and gives back what has no end yet', async () => {
    const code = `let rest = ''; for (let t = read_input(); t !== null; t = read_input(rest)) { const l = t.split('\\n'); rest = l.pop(); for (const x of l) inject_message({ Payload: x }); }`;
    const source = new Listed(text('a\nb'), text('b\nc\nd'), text('d\n'));
    expect((await run(await start(code), source)).payloads).toEqual(['a', 'b', 'c', 'd']);
    expect(source.asked.map(({ rest }) => rest)).toEqual([0, 1, 1, 0]);
  });

  test('records one by one, which come together', async () => {
    const source = new Listed(records('a', '', 'é'), records('d'));
    expect((await run(await start(ALL, 'records'), source)).payloads).toEqual(['a', '', 'é', 'd']);
    expect(source.asked).toHaveLength(3);
  });

  test('and knows what it reads, and whether that goes on', async () => {
    const code = `for (let t = read_input(); t !== null; t = read_input()) inject_message({ Payload: JSON.stringify(input_source()) })`;
    const { payloads } = await run(await start(code), new Listed(text('a'), text('b', true)));
    expect(payloads).toEqual(['{"name":"a.log","ended":false}', '{"name":"a.log","ended":true}']);
  });

  test('what it has injected goes on before it waits', async () => {
    const gate = Promise.withResolvers<ReadAnswer>();
    const source: ScriptSource = { read: () => gate.promise, rewind: () => undefined, mayInterrupt: () => true };
    const seen: (string | undefined)[] = [];
    const sandbox = await start(`inject_message({ Payload: 'first' }); read_input()`);
    const running = sandbox.run(async (batch) => void seen.push(batch.message(0).payload), source);
    await until(() => seen.length > 0, 'the message');
    gate.resolve({ kind: 'end' });
    expect([seen, await running]).toEqual([['first'], FINE]);
    await sandbox.stop();
  });

  test('and its state is known at each reading, and made known when that is asked for', async () => {
    const code = `var n = 0; function process_message() { for (let t = read_input(); t !== null; t = read_input()) n++; return 0; }`;
    const source = new Listed(text('a'), { kind: 'save' }, text('b'));
    await run(await start(code), source);
    expect(source.asked.at(-1)).toMatchObject({ form: 'text' });
    expect(source.asked[2]).toMatchObject({ saved: true, rest: 0 });
  });

  test('it is stopped while it waits, and keeps its state', async () => {
    const file = bench.file('kept.data', '');
    const path = `${file}.state`;
    const asked = Promise.withResolvers<void>();
    const stop = Promise.withResolvers<ReadAnswer>();
    let reads = 0;
    const source: ScriptSource = {
      read: () => (reads++ === 0 ? Promise.resolve(text('x')) : (asked.resolve(), stop.promise)),
      rewind: () => undefined,
      mayInterrupt: () => true,
    };
    const code = `var n = 0; function process_message() { if (n > 0) { inject_message({ Payload: 'kept ' + n }); return 0; } for (;;) { read_input(); n++; } }`;
    const first = await start(code, 'chunks', path);
    const running = first.run(async () => undefined, source);
    await asked.promise;
    const stopped = first.stop();
    stop.resolve({ kind: 'stop' });
    await stopped;
    expect(await running).toEqual({ code: 'sandbox.stopped', reason: 'shutting down', row: -1 });
    expect((await run(await start(code, 'chunks', path), source)).payloads).toEqual(['kept 1']);
  });

  test('goes on at another host as at its last reading when its own is killed', async () => {
    crashes.length = 0;
    const code = `var n = 0; function process_message() { for (let t = read_input(); t !== null; t = read_input()) { n++; inject_message({ Payload: t + n }); } return 0; }`;
    const sandbox = await start(code);
    const before = new Set(bench.pool.hostPids);
    const answers = ['a', 'b', 'c'];
    let rewinds = 0;
    const source: ScriptSource = {
      read: async ({ saved }) => {
        if (!saved) return { kind: 'save' };
        const next = answers.shift();
        if (next === 'c' && rewinds === 0) {
          answers.unshift(next);
          for (const pid of before) process.kill(pid, 'SIGKILL');
          return new Promise(() => undefined);
        }
        return next === undefined ? { kind: 'end' } : text(next);
      },
      rewind: () => void rewinds++,
      mayInterrupt: () => true,
    };
    expect(await run(sandbox, source)).toEqual({ end: FINE, payloads: ['a1', 'b2', 'c3'] });
    expect(rewinds).toBe(1);
  });
});

describe('is refused', () => {
  const first = `read_input(); `;
  test.each<[string, string, SourceForm | null, RegExp]>([
    ['without a source', `read_input()`, null, /there is no source; give the section a table \[source\.source\]/],
    ['a rest before anything was read', `read_input('a')`, 'chunks', /only the end of a piece of a stream can be given back/],
    ['a rest that was not read', `${first}read_input('x')`, 'chunks', /the rest must be the end of what was read last/],
    ['a rest that is longer', `${first}read_input('xabc')`, 'chunks', /the rest must be the end of what was read last/],
    ['a rest that is not text', `${first}read_input(1)`, 'chunks', /the rest must be a text, not number/],
    ['a rest of something whole', `${first}read_input('c')`, 'whole', /only the end of a piece of a stream can be given back/],
    ['a rest that is given back twice', `${first}read_input('c'); read_input(); read_input('c')`, 'chunks', /can be given back/],
    ['bytes for a text', `${first}read_bytes(new Uint8Array(4))`, 'chunks', /the rest must be the end of what was read last/],
    ['bytes of records', `read_bytes()`, 'records', /a source with a splitter has records, for read_input/],
  ])('%s', async (_what, code, reads, reason) => {
    const { end } = await run(await start(code, reads), new Listed(text('abc')));
    expect('reason' in end ? end.reason : '').toMatch(reason);
  });

  test('while the script is loading', async () => {
    await expect(start(`read_input(); function process_message() { return 0; }`)).rejects.toThrow(/not while the script is loading/);
  });
});
