import { describe, expect, it } from 'vitest';
import { fileOf, sluicebox } from '../run-cli.ts';

const DECODER = fileOf(
  'pairs.ts',
  `const limit: number = Number(read_config('limit') ?? 3);
export function process_message(): ProcessStatus {
  const parts = String(read_message('Payload')).split(' ');
  if (parts.length > limit) return [-1, 'too many'];
  for (const part of parts) inject_message({ Payload: part });
  return 0;
}
`,
);

const FILTER = fileOf(
  'ticks.js',
  `let seen = 0;
function process_message() {
  if (read_message('Payload') === 'spin') for (;;);
  seen++;
  return 0;
}
function timer_event(ns) { inject_payload('txt', 'ticks', String(BigInt(ns)), ' ', seen); }
`,
);

const message = (payload: string, second: number): string => `${JSON.stringify({ Timestamp: `${second}000000000`, Payload: payload })}\n`;
const payloads = (lines: readonly Record<string, unknown>[]): unknown[] => lines.map(({ Payload }) => Payload);

describe('sluicebox sandbox', () => {
  it('prints what a decoder emits, then what it used and where the steps went', async () => {
    const run = await sluicebox(['sandbox', DECODER, '--type', 'decoder', '-'], 'a b\nc\na b c d\n');
    expect(payloads(run.lines())).toEqual(['a', 'b', 'c']);
    expect(run.code).toBe(1);
    expect(run.err).toMatch(/standard input:3: too many\n/);
    expect(run.err).toMatch(/^ +last +most +limit\nmemory .* 8\.0 MiB\ninstructions +\d+ +\d+ +1000000\noutput .* 63\.0 KiB\n/m);
    expect(run.err).toMatch(/\n3 × process_message \([\d.]+ [µm]s each\), 1 failed; 3 injected\n/);
    expect(run.err).toMatch(/\n +3 +[\d.]+ % {2}pairs\.ts:5 {2}for \(const part of parts\) inject_message/);
  });

  it('prints one line for each input with --each', async () => {
    const run = await sluicebox(['sandbox', DECODER, '--type', 'decoder', '--each', '-s', 'limit=1'], 'a b\nc\n');
    expect(run.lines()).toMatchObject([
      { status: -1, error: 'too many', messages: [] },
      { status: 0, messages: [{ Payload: 'c' }] },
    ]);
  });

  it.each([
    { args: ['--ticker', '60'], input: message('a', 0) + message('b', 61), out: ['60000000000 1', '61000000000 2'] },
    { args: [], input: message('a', 0) + '{"timer":"5000000000"}\n' + message('b', 61), out: ['5000000000 1'] },
    { args: ['--from', 'lines'], input: 'a\nb\n', out: [expect.stringMatching(/^\d+ 2$/)] },
  ])('calls a filter’s timer by the messages’ clock, or when the input says: $args', async ({ args, input, out }) => {
    const run = await sluicebox(['sandbox', FILTER, '-t', 'filter', ...args], input);
    expect(run.code).toBe(0);
    expect(payloads(run.lines())).toEqual(out);
  });

  it('says which line it was that used up the instructions', async () => {
    const run = await sluicebox(['sandbox', FILTER, '-t', 'filter', '--instruction-limit', '5000'], message('a', 0) + message('spin', 1));
    expect(run.code).toBe(2);
    expect(run.err).toMatch(
      /standard input:2: the filter has ended: exceeded instruction_limit of 5000 in process_message, .*:\d+ \(a loop that began at \d+\)\n/,
    );
    expect(run.err).toMatch(/\ninstructions +0 +5000 +5000\n/);
    expect(run.err).toMatch(/\n +\d{4} +\d+\.\d % {2}ticks\.js:3 {2}if \(/);
  });

  it('runs an encoder, and one that is bundled', async () => {
    const own = fileOf(
      'upper.js',
      `function process_message() { inject_payload('txt', '', read_message('Payload').toUpperCase()); return 0; }`,
    );
    expect((await sluicebox(['sandbox', own, '-t', 'encoder'], message('a', 0))).out).toBe('A');
    expect((await sluicebox(['sandbox', 'plain_text'], message('a', 0))).out).toBe('a\n');
  });

  it('runs an output, which emits nothing', async () => {
    const script = fileOf('out.js', `function process_message() { return read_message('Payload') === 'bad' ? [-1, 'refused'] : 0; }`);
    const run = await sluicebox(['sandbox', script, '-t', 'output', '--each'], message('a', 0) + message('bad', 1));
    expect(run.lines()).toEqual([
      { status: 0, messages: [] },
      { status: -1, error: 'refused', messages: [] },
    ]);
  });

  it('prints what an output writes, as it is', async () => {
    const script = fileOf(
      'writes.js',
      `function process_message() { const p = read_message('Payload'); write_output(p, new Uint8Array([0, 255])); return p === 'bad' ? -1 : 0; }
function timer_event() { write_output('tick'); }`,
    );
    const run = await sluicebox(['sandbox', script, '-t', 'output'], message('a', 0) + message('bad', 1) + message('b', 2));
    expect(run.out).toBe('a\0\ufffdb\0\ufffdtick');
    const each = await sluicebox(['sandbox', script, '-t', 'output', '--each'], message('a', 0) + message('bad', 1) + message('b', 2));
    expect(each.lines()).toMatchObject([
      { status: 0, messages: ['a\0\ufffd'] },
      { status: -1, messages: [] },
      { status: 0, messages: ['b\0\ufffd'] },
    ]);
  });

  it('gives an input files to read, as pieces or as records', async () => {
    const script = fileOf(
      'reads.js',
      `function process_message() { for (let t = read_input(); t !== null; t = read_input()) inject_message({ Payload: t }); return 0; }`,
    );
    const files = [fileOf('one.txt', 'a\nb\n'), fileOf('two.txt', 'c')];
    const run = async (...args: string[]) => payloads((await sluicebox(['sandbox', script, '-t', 'input', ...args], 'd\ne')).lines());
    expect(await run(...files)).toEqual(['a\nb\n', 'c']);
    expect(await run('--split', 'line', ...files)).toEqual(['a', 'b', 'c']);
    expect(await run('--split', 'line')).toEqual(['d', 'e']);
    const missing = await sluicebox(['sandbox', script, '-t', 'input', '/nowhere/x.txt', ...files]);
    expect([missing.code, payloads(missing.lines())]).toEqual([2, ['a\nb\n', 'c']]);
    expect(missing.err).toMatch(/^sluicebox: .*x\.txt/);
  });

  it('calls an input as often as it is told', async () => {
    const script = fileOf(
      'in.js',
      `let n = 0;
function process_message() { inject_message({ Payload: 'tick ' + ++n }); return n === 3 ? [-1, 'three'] : 0; }`,
    );
    const run = await sluicebox(['sandbox', script, '-t', 'input', '--runs', '3']);
    expect(payloads(run.lines())).toEqual(['tick 1', 'tick 2', 'tick 3']);
    expect(run.err).toMatch(/^run:3: three\n/);
    const each = await sluicebox(['sandbox', script, '-t', 'input', '--runs', '2', '--each']);
    expect(each.lines()).toMatchObject([
      { status: 0, messages: [{ Payload: 'tick 1' }] },
      { status: 0, messages: [{ Payload: 'tick 2' }] },
    ]);
  });

  it.each<{ args: string[]; err: RegExp; code?: number }>([
    { args: [], err: /sandbox needs a script/ },
    { args: [FILTER], err: /give --type input\|decoder\|filter\|encoder\|output/ },
    { args: [FILTER, '-t', 'filters'], err: /--type must be one of/ },
    { args: [FILTER, '-t', 'filter', '--memory-limit', 'x'], err: /--memory-limit must be a whole number/ },
    { args: ['nginx_access', '-t', 'filter'], err: /there is no filter nginx_access/ },
  ])('refuses $args', async ({ args, err }) => {
    const run = await sluicebox(['sandbox', ...args]);
    expect(run.err).toMatch(err);
    expect(run.code).toBe(2);
  });
});

describe('what is kept from one run to the next', () => {
  const body = `process_message() { return 0; }
  function timer_event() { inject_payload('txt', '', [a, b, globalThis.c].join()); a++; b++; globalThis.c++; }`;
  const classic = `var a = 0; let b = 0; globalThis.c ??= 0;\nfunction ${body}`;
  const module = `var a = 0; export let b = 0; globalThis.c ??= 0;\nexport function ${body.replace('function timer', 'export function timer')}`;

  it.each([
    { form: 'a classic script', name: 'kept.js', source: classic, second: '1,0,1' },
    { form: 'a module', name: 'kept-module.js', source: module, second: '0,0,1' },
    { form: 'a classic script in TypeScript', name: 'kept.ts', source: classic.replace('a = 0', 'a: number = 0'), second: '1,0,1' },
    { form: 'a module in TypeScript', name: 'kept-module.ts', source: module.replace('b = 0', 'b: number = 0'), second: '0,0,1' },
  ])('global variables of $form: var a, let b and globalThis.c', async ({ name, source, second }) => {
    const state = fileOf(`${name}.state`, '').replace(/\.state$/, '.data');
    const args = ['sandbox', fileOf(name, source), '-t', 'filter', '--state', state];
    const run = async (): Promise<unknown[]> => payloads((await sluicebox(args, message('x', 1))).lines());
    expect(await run()).toEqual(['0,0,0']);
    expect(await run()).toEqual([second]);
  });

  const keeping = (script: string, state: string): ReturnType<typeof sluicebox> =>
    sluicebox(['sandbox', script, '-t', 'filter', '--state', state], message('x', 1));

  it('keeps the state of a filter that has no timer_event', async () => {
    const state = fileOf('untimed.state', '').replace(/\.state$/, '.data');
    const counting = fileOf('untimed.js', `var n = 0; function process_message() { inject_message({ Pid: ++n }); return 0; }`);
    expect((await keeping(counting, state)).lines()).toMatchObject([{ Pid: 1 }]);
    expect((await keeping(counting, state)).lines()).toMatchObject([{ Pid: 2 }]);
  });

  it('says what of a state cannot be kept', async () => {
    const state = fileOf('partly.state', '').replace(/\.state$/, '.data');
    const run = await keeping(fileOf('partly.js', `var m = new Map([[{}, 1]]); function process_message() { return 0; }`), state);
    expect(run.code).toBe(0);
    expect(run.err).toMatch(/not kept in the state: m \(1 of its entries: their keys are objects, functions or symbols\)/);
  });

  it('says when a state cannot be kept', async () => {
    const state = fileOf('hopeless.state', '').replace(/\.state$/, '.data');
    const run = await keeping(
      fileOf('hopeless.js', `class A { toSaved() { for (;;); } } var a = new A(); function process_message() { return 0; }`),
      state,
    );
    expect(run.code).toBe(2);
    expect(run.err).toMatch(/the state of \S*hopeless\.js cannot be saved: .*its own code for that exceeded 100000000 steps/);
  });
});
