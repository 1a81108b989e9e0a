import { afterAll, describe, expect, test } from 'vitest';
import { SandboxEndedError, SandboxHostError, SandboxLoadError } from '../../../../engine/sandbox/contract/errors.ts';
import { SandboxPool } from '../../../../engine/sandbox/hosts/pool.ts';
import { DEFAULT_LIMITS, type Sandbox } from '../../../../engine/sandbox/contract/types.ts';
import { batchOf, line, message, messagesOf, number, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

describe('loading', () => {
  const failing: readonly (readonly [title: string, source: string, reason: RegExp, extension?: string])[] = [
    ['a mistake in the syntax', `function process_message() {\n  return 1 +;\n}`, /\.js:2:13: Unexpected token/],
    ['a mistake in TypeScript', `export function process_message(): number {\n  return 1 as;\n}`, /\.ts:2:14: Unexpected token/, '.ts'],
    ['what is not plain TypeScript', `const a = 1;\nenum A { B }`, /\.ts:2:1: TypeScript enum is not supported/, '.ts'],
    ['an error at the top level', `var a = 1;\n\n   null.x;`, /\.js:3:9: TypeError: Cannot read properties of null/],
    ['a missing process_message', `var a = 1;`, /^process_message is missing$/],
    [
      'a process_message that is declared with const',
      `const process_message = () => 0;`,
      /^process_message is missing: it is declared with const; /,
    ],
    [
      'a process_message that is not exported',
      `function process_message() {}\nexport const x = 1;`,
      /^process_message is missing: it is declared but not exported; /,
    ],
    [
      'a top level that does not end',
      `for (;;);`,
      /^exceeded instruction_limit of 1000000 at the top level, .*:1 \(a loop that began at 1\)$/,
    ],
    ['an unknown module', `require('nothing');`, /module 'nothing' not found:\n\tno file '.*nothing\.js'/],
    ['a path as a module', `require('../../etc/passwd');`, /module '.*' not found/],
    ['an import that leads away', `import '/etc/passwd'; export function process_message() {}`, /not found/],
    ['an import that leads up', `import '../../etc/passwd'; export function process_message() {}`, /cannot find|outside/],
    ['a reserved name', `let $__n = 5;`, /:1:5: names that begin with \$__ are reserved/],
    ['an async function', `async function process_message() {}`, /:1:1: async functions are not available/],
    ['a dynamic import', `function process_message() { import('x'); }`, /dynamic imports are not available/],
    ['a with statement', `with ({}) {}`, /with statements are not available/],
  ];

  const cases = failing.map(([title, source, reason, extension = '.js']) => [title, source, reason, extension] as const);

  test.each(cases)('%s', async (_title, source, reason, extension) => {
    const error: unknown = await bench.start(source, { extension }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SandboxLoadError);
    expect((error as Error).message).toMatch(reason);
  });

  test('a script that is not there', async () => {
    await expect(bench.startFile('/nowhere/script.js')).rejects.toThrow(/cannot read/);
  });

  test('an import of a file beside it that is not a script', async () => {
    bench.file('notes.txt', 'export const secret = 1;');
    await expect(bench.start(`import { secret } from './notes.txt'; export function process_message() {}`)).rejects.toThrow(
      /notes\.txt' is not a script/,
    );
  });

  test('injecting while loading', async () => {
    await expect(bench.start(`inject_message({})`)).rejects.toThrow('not while the script is loading');
  });

  test('a script in TypeScript, as a module with an import and a require', async () => {
    bench.file(
      'helper.ts',
      `export const twice = (n: number): number => n * 2;\nexport let counter = 0;\nexport const count = () => ++counter;`,
    );
    bench.file('common.js', `exports.name = 'common'; exports.helper = require('helper');`);
    const sandbox = await bench.start(
      `import { twice, count } from './helper.ts';
       const common = require('common') as { name: string; helper: { count(): number } };
       interface Unused { a: string }
       export function process_message(): ProcessStatus {
         count();
         inject_message({ Type: common.name, Pid: twice(21), Severity: common.helper.count(), Payload: String(require('common') === common) });
         return 0;
       }`,
      { extension: '.ts' },
    );
    const [out] = messagesOf(await sandbox.process(batchOf([message()]), null));
    expect(out).toMatchObject({ type: 'svc.sandbox.common', pid: 42, severity: 2, payload: 'true' });
  });

  test('read_config gives scalars', async () => {
    const values = await bench.evaluate(
      'filter',
      message(),
      [
        `read_config('a')`,
        `read_config('b')`,
        `read_config('c')`,
        `read_config('d')`,
        `read_config('constructor')`,
        'read_config()',
        'read_config(1)',
      ],
      { config: { a: 'x', b: 1.5, c: false } },
    );
    expect(values.slice(0, 5)).toEqual(['x', 1.5, false, null, null]);
    expect(values.slice(5).map((value) => typeof (value as { error: string }).error)).toEqual(['string', 'string']);
  });

  test('read_config gives numbers that JSON does not have', async () => {
    const texts = ['nan', 'more', 'less', 'zero', 'list'].map((name) => `String(read_config('${name}')) + 1 / read_config('${name}')`);
    const config = { nan: NaN, more: Infinity, less: -Infinity, zero: -0, list: ['5'] as unknown as number };
    expect(await bench.evaluate('filter', message(), texts, { config })).toEqual([
      'NaNNaN',
      'Infinity0',
      '-Infinity0',
      '0-Infinity',
      'nullInfinity',
    ]);
  });
});

describe('the status of process_message', () => {
  const statuses: readonly (readonly [returned: string, failure: string | null, end: RegExp | null])[] = [
    ['0', null, null],
    ['[0]', null, null],
    ['[0, null]', null, null],
    ['0.9', null, null],
    ['-0.5', null, null],
    ['-1', '', null],
    ['[-1, "bad line"]', 'bad line', null],
    ['-1.9', '', null],
    ['[-1]', '', null],
    ['1', null, /^process_message\(\) returned 1$/],
    ['[2, "no more"]', null, /^no more$/],
    ['undefined', null, /must return a number/],
    ['null', null, /must return a number/],
    ['"0"', null, /must return a number/],
    ['NaN', null, /must return a number/],
    ['true', null, /must return a number/],
    ['[-1, 5]', null, /must return a text/],
    ['{}', null, /must return a number/],
  ];

  test.each(statuses)('%s', async (returned, failure, end) => {
    const sandbox = await bench.start(`function process_message() { return ${returned}; }`);
    const { failures, terminated } = await sandbox.process(batchOf([message()]), null);
    expect(failures).toEqual(failure === null ? [] : [{ row: 0, reason: failure }]);
    if (end === null) expect(terminated).toBeNull();
    else
      expect(terminated).toMatchObject({
        code: expect.stringMatching(/^script\.(status|return|throws)$/) as string,
        reason: expect.stringMatching(end) as string,
        row: 0,
      });
    expect(sandbox.state).toBe(end === null ? 'running' : 'terminated');
  });
});

describe('ending', () => {
  test('an error names the place in the source', async () => {
    const sandbox = await bench.start(
      `export function process_message(): number {\n  const list: string[] = [];\n  for (const one of list) { one.length; }\n  return helper(read_message('Fields[x]') as unknown as object);\n}\n` +
        `function helper(o: object): number { return (o as { a: { b: number } }).a.b; }`,
      { extension: '.ts' },
    );
    const { terminated } = await sandbox.process(batchOf([message()]), null);
    expect(terminated?.reason).toMatch(/^process_message\(\) \S+\.ts:6:73: TypeError: Cannot read properties of null \(reading 'a'\)$/);
  });

  test('keeps what was injected before, and says at which row', async () => {
    const sandbox = await bench.start(
      `let n = 0; function process_message() { if (++n === 3) n.x.y; inject_message({ Pid: n }); return 0; }`,
    );
    const result = await sandbox.process(batchOf([line('a'), line('b'), line('c'), line('d')]), Uint32Array.of(0, 2, 3));
    expect(messagesOf(result).map(({ pid }) => pid)).toEqual([1, 2]);
    expect([...(result.origins ?? [])]).toEqual([0, 2]);
    expect(result.terminated?.row).toBe(3);
    expect(sandbox.state).toBe('terminated');
    await expect(sandbox.process(batchOf([message()]), null)).rejects.toBeInstanceOf(SandboxEndedError);
    expect(await sandbox.report()).toMatchObject({ state: 'terminated', processed: 3, injected: 2, memory: { current: 0 } });
  });

  test('a missing timer_event ends the sandbox at the first tick', async () => {
    const sandbox = await bench.start(`function process_message() { return 0; }`);
    expect((await sandbox.timer(1n)).terminated).toEqual({ code: 'script.timer-missing', reason: 'timer_event is missing', row: -1 });
  });

  test('an error in timer_event ends it', async () => {
    const sandbox = await bench.start(
      `function process_message() { return 0; }\nfunction timer_event(ns) {\n  throw new Error('at ' + ns); }`,
    );
    expect((await sandbox.timer(7n)).terminated?.reason).toMatch(/^timer_event\(\) \S+:3:9: Error: at 7$/);
  });

  test('timer_event has a budget of its own', async () => {
    const sandbox = await bench.start(
      `function process_message() { return 0; }\nfunction timer_event(n) { for (let i = 0; i < n; i++) inject_message({ Pid: i }); }`,
    );
    expect((await sandbox.timer(10n)).injected?.length).toBe(10);
    const { injected, origins, terminated } = await sandbox.timer(11n);
    expect([injected?.length, terminated?.reason]).toEqual([
      10,
      expect.stringMatching(/^inject_message: exceeded max_timer_inject of 10 in timer_event, .*:2 \(a loop that began at 2\)$/),
    ]);
    expect(origins).toBeNull();
  });

  test('the limit of steps counts each call anew and is the same each time', async () => {
    const source = `function process_message() { for (let i = 0; i < read_message('Fields[n]'); i++); return 0; }`;
    const sandbox = await bench.start(source, { limits: { instructions: 10_000 } });
    const of = (n: number) => message({ fields: [number('n', n)] });
    expect((await sandbox.process(batchOf([of(9000), of(9000), of(5000)]), null)).terminated).toBeNull();
    const first = (await sandbox.report()).instructions;
    expect(first).toEqual({ current: 5001, maximum: 9001, limit: 10_000 });
    await sandbox.process(batchOf([of(5000)]), null);
    expect((await sandbox.report()).instructions).toEqual(first);
    const { terminated } = await sandbox.process(batchOf([of(1), of(20_000)]), null);
    expect(terminated).toMatchObject({ code: 'limit.instructions', limit: 10_000, row: 1 });
  });

  test('a limit of 0 steps is none', async () => {
    const sandbox = await bench.start(`function process_message() { for (let i = 0; i < 3e6; i++); return 0; }`, {
      limits: { instructions: 0 },
    });
    expect((await sandbox.process(batchOf([message()]), null)).terminated).toBeNull();
    expect((await sandbox.report()).instructions.current).toBe(3_000_001);
  });

  test('a batch may take longer than a call', async () => {
    const sandbox = await bench.start(`function process_message() { const end = Date.now() + 100; while (Date.now() < end); return 0; }`, {
      limits: { callMs: 800, instructions: 0 },
    });
    const result = await sandbox.process(batchOf(Array.from({ length: 10 }, () => message())), null);
    expect(result.terminated).toBeNull();
  });

  test('calls are served in order, and stop waits for none', async () => {
    const sandbox = await bench.start(
      `let seen = ''; function process_message() { seen += read_message('Payload'); return 0; }
       function timer_event() { inject_message({ Payload: seen }); }`,
    );
    const calls = [
      sandbox.process(batchOf([line('a'), line('b')]), null),
      sandbox.timer(1n),
      sandbox.process(batchOf([line('c')]), null),
      sandbox.timer(2n),
    ];
    const results = await Promise.all(calls);
    expect(results.map((result) => messagesOf(result).map(({ payload }) => payload))).toEqual([[], ['ab'], [], ['abc']]);
    await sandbox.stop();
    expect(sandbox.state).toBe('stopped');
    await expect(sandbox.timer(3n)).rejects.toBeInstanceOf(SandboxEndedError);
  });

  test('an empty batch and an empty selection do nothing', async () => {
    const sandbox = await bench.start(`function process_message() { return 1; }`);
    expect(await sandbox.process(batchOf([]), null)).toEqual({ injected: null, origins: null, failures: [], terminated: null });
    expect(await sandbox.process(batchOf([message()]), new Uint32Array(0))).toEqual({
      injected: null,
      origins: null,
      failures: [],
      terminated: null,
    });
  });
});

describe('a selection', () => {
  test('is all that the sandbox sees, in every kind of column', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({
      ...message({ timestamp: BigInt(i), payload: `line ${i}` }),
      ...(i % 3 === 0 ? { type: `t${i}`, severity: i } : {}),
      fields: [
        number('n', i),
        ...(i % 2 === 0 ? [{ name: 's', valueType: 0 as const, values: [`v${i}`, 'x'] }] : []),
        ...(i % 5 === 0 ? [{ name: 'b', valueType: 1 as const, values: [Uint8Array.of(i)] }] : []),
        ...(i % 7 === 0
          ? [
              { name: 'i', valueType: 2 as const, values: [BigInt(i)] },
              { name: 'o', valueType: 4 as const, values: [i > 7] },
            ]
          : []),
      ],
    }));
    const names = ['Timestamp', 'Payload', 'Type', 'Severity', 'Fields[n]', 'Fields[s]', 'Fields[b]', 'Fields[i]', 'Fields[o]'];
    const sandbox = await bench.start(
      `function process_message() { return [-1, JSON.stringify(${JSON.stringify(names)}.map((n) => { const v = read_message(n); return v instanceof Uint8Array ? [...v] : v; }))]; }`,
    );
    for (const selection of [null, Uint32Array.of(0, 7, 14), Uint32Array.of(3, 4, 5), Uint32Array.of(1), Uint32Array.of(0, 1, 2, 19)]) {
      const { failures } = await sandbox.process(batchOf(rows), selection);
      const expected = [...(selection ?? rows.keys())].map((i) => ({
        row: i,
        reason: JSON.stringify([
          ...[i, `line ${i}`, i % 3 === 0 ? `t${i}` : '', i % 3 === 0 ? i : null, i, i % 2 === 0 ? `v${i}` : null],
          ...[i % 5 === 0 ? [i] : null, i % 7 === 0 ? i : null, i % 7 === 0 ? i > 7 : null],
        ]),
      }));
      expect(failures).toEqual(expected);
    }
  });
});

test('a pool that is closed while the state of a script is read starts no host for it', async () => {
  const pool = new SandboxPool();
  const script = bench.file('late.js', 'function process_message() { return 0; }');
  const late = pool.createInput({
    ...{ name: 'late', kind: 'input', script, modules: [], config: {}, limits: DEFAULT_LIMITS, hostname: 'box1', pid: 42 },
    preservation: `${script}.data`,
  });
  const refused = expect(late).rejects.toThrow(SandboxHostError);
  await pool.close();
  await refused;
  expect(pool.hostPids).toEqual([]);
});

test('a pool starts a host when all that there are have a sandbox, until it has as many as it may', async () => {
  const pool = new SandboxPool({ hosts: 2 });
  const script = bench.file('one-of-many.js', 'function process_message() { return 0; }');
  const start = (): Promise<Sandbox> =>
    pool.createSandbox({
      ...{ name: 'one', kind: 'filter', script, modules: [], config: {}, limits: DEFAULT_LIMITS, hostname: 'box1', pid: 42 },
    });
  const hosts: number[] = [];
  const first = await start();
  hosts.push(pool.hostPids.length);
  await first.stop();
  for (let i = 0; i < 3; i++) {
    await start();
    hosts.push(pool.hostPids.length);
  }
  expect(hosts).toEqual([1, 1, 2, 2]);
  await pool.close();
});
