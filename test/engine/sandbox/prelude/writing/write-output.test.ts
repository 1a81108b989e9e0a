import { afterAll, describe, expect, test } from 'vitest';
import type { Sandbox, SandboxResult } from '../../../../../engine/sandbox/contract/types.ts';
import { batchOf, line, SandboxBench, type ScriptOptions } from '../../harness.ts';

const bench = new SandboxBench({ graceMs: 200 });
afterAll(() => bench.close());

const start = (source: string, options: ScriptOptions = {}): Promise<Sandbox> =>
  bench.start(source, { kind: 'output', writes: true, ...options });

async function run(code: string, payloads: readonly string[], options: ScriptOptions = {}): Promise<SandboxResult> {
  const sandbox = await start(`var n = 0; function process_message() { const p = read_message('Payload'); ${code}; return 0; }`, options);
  const result = await sandbox.process(batchOf(payloads.map(line)), null);
  await sandbox.stop();
  return result;
}

const texts = ({ written = [] }: SandboxResult): string[] => written.map((record) => Buffer.from(record).toString());
const bytes = ({ written = [] }: SandboxResult): number[][] => written.map((record) => [...record]);

describe('what an output writes', () => {
  test.each([
    ['a text', `write_output(p, '\\n')`, ['a'], ['a\n']],
    ['several records of a message', `write_output(p); write_output(p, 2)`, ['a', 'b'], ['a', 'a2', 'b', 'b2']],
    ['numbers, truth and nothing, as in a payload', `write_output(1, ' ', 0.1, ' ', true, ' ', 5n, ' ', null)`, [''], ['1 0.1 true 5 nil']],
    ['texts beyond Latin-1', `write_output(p)`, ['é', '😀', 'a'], ['é', '😀', 'a']],
    ['halves of a character side by side', `write_output(p)`, ['a\ud83d', '\ude00b'], ['a\ufffd', '\ufffdb']],
    ['what knows its own text', `write_output({ toPayload: () => p + '!' })`, ['a'], ['a!']],
    [
      'nothing at all, which is not a record',
      `write_output(''); write_output(new Uint8Array(0)); if (p === 'b') write_output(p)`,
      ['a', 'b'],
      ['b'],
    ],
    ['only for some messages', `if (p !== 'b') write_output(p)`, ['a', 'b', 'c'], ['a', 'c']],
  ])('%s', async (_what, code, payloads, expected) => {
    const result = await run(code, payloads);
    expect(result).toMatchObject({ injected: null, failures: [], terminated: null });
    expect(texts(result)).toEqual(expected);
  });

  test('bytes stay what they are, alone and beside texts', async () => {
    const result = await run(`write_output(new Uint8Array([0, 200, 255])); write_output(new Uint8Array([254]), 'é'); write_output(p)`, [
      'x',
    ]);
    expect(bytes(result)).toEqual([[0, 200, 255], [254, 0xc3, 0xa9], [120]]);
  });

  test('bytes that the script changes afterwards are as they were', async () => {
    const result = await run(`const b = new Uint8Array([1]); write_output(b); b[0] = 2; write_output(b)`, ['x']);
    expect(bytes(result)).toEqual([[1], [2]]);
  });

  test('what a message that fails has written is dropped', async () => {
    const result = await run(`write_output(p); write_output(p); if (p === 'b') return [-1, 'no b']`, ['a', 'b', 'c']);
    expect(texts(result)).toEqual(['a', 'a', 'c', 'c']);
    expect(result.failures).toEqual([{ row: 1, reason: 'no b' }]);
  });

  test.each([
    ['throws', `if (p === 'b') throw new Error('enough')`, /enough/],
    ['ends by its own wish', `if (p === 'b') return [1, 'enough']`, /^enough$/],
  ])('a script that %s leaves what the messages before had written', async (_how, end, reason) => {
    const result = await run(`write_output(p); ${end}`, ['a', 'b', 'c']);
    expect(texts(result)).toEqual(['a']);
    expect(result.terminated).toMatchObject({ row: 1, reason: expect.stringMatching(reason) as string });
  });

  test('ticks write too, in turn with the messages', async () => {
    const sandbox = await start(
      `var seen = ''; function process_message() { seen += read_message('Payload'); write_output('m'); return 0; }
       function timer_event(ns) { write_output(seen, ' ', ns); seen = ''; }`,
    );
    const results = [sandbox.process(batchOf([line('a'), line('b')]), null), sandbox.timer(5n), sandbox.timer(6n)];
    expect((await Promise.all(results)).map(texts)).toEqual([['m', 'm'], ['ab 5'], [' 6']]);
    await sandbox.stop();
  });

  test('a script that takes its isolate along loses nothing that the messages before had written', async () => {
    const result = await run(`write_output(p); if (p === 'd') [...'ab'.repeat(3e7)]`, ['a', 'b', 'c', 'd', 'e']);
    expect(texts(result)).toEqual(['a', 'b', 'c']);
    expect(result.terminated).toMatchObject({ row: 3 });
  });
});

describe('much output', () => {
  test('ends the call, and the rest of the messages is asked for', async () => {
    const sandbox = await start(`var n = 0; function process_message() { write_output(String(n++).padEnd(60000, '.')); return 0; }`);
    const batch = batchOf(Array.from({ length: 40 }, (_, i) => line(String(i))));
    const seen: number[] = [];
    const calls: number[] = [];
    for (let from = 0; from < 40;) {
      const rows = Uint32Array.from({ length: 40 - from }, (_, i) => from + i);
      const result = await sandbox.process(batch, rows);
      expect(result.terminated).toBeNull();
      seen.push(...texts(result).map((record) => parseInt(record, 10)));
      calls.push(result.done ?? rows.length);
      from += calls.at(-1) as number;
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(calls).toEqual([18, 18, 4]);
    expect(await sandbox.report()).toMatchObject({ processed: 40, output: { maximum: 60000 } });
    await sandbox.stop();
  });
});

describe('is refused', () => {
  test.each([
    ['without a target', `write_output('x')`, { writes: false }, /there is no target; give the section a table \[test\.target\]/],
    ['without an argument', `write_output()`, {}, /write_output: at least one argument/],
    ['for a function', `write_output(() => 1)`, {}, /write_output: cannot write a function/],
    ['for an object', `write_output({})`, {}, /write_output: cannot write an object/],
    ['for a record above output_limit', `write_output('x'.repeat(100))`, { limits: { output: 100 } }, /exceeded output_limit of 100/],
    ['for bytes above output_limit', `write_output('x', new Uint8Array(99))`, { limits: { output: 100 } }, /exceeded output_limit of 100/],
  ])('%s', async (_when, code, options, reason) => {
    const result = await run(code, ['a'], options);
    expect(result.terminated?.reason).toMatch(reason);
    expect(result.written ?? []).toEqual([]);
  });

  test('and a script may catch that', async () => {
    const code = `try { write_output('x'.repeat(100)); } catch (error) { write_output(error.message); }`;
    expect(texts(await run(code, ['a'], { limits: { output: 100 } }))).toEqual(['write_output: exceeded output_limit of 100']);
  });

  test('while the script is loading', async () => {
    await expect(start(`write_output('x'); function process_message() { return 0; }`)).rejects.toThrow(/not while the script is loading/);
  });

  test.each(['input', 'decoder', 'filter', 'encoder'] as const)('to %ss', async (kind) => {
    if (kind === 'input') {
      await expect(start(`write_output('x'); function process_message() { return 0; }`, { kind })).rejects.toThrow(/write_output/);
      return;
    }
    expect(await bench.evaluate(kind, line(''), ['typeof write_output'])).toEqual(['undefined']);
  });
});

describe('what an output holds', () => {
  const code = `if (p === 'hold') hold_messages(); if (p === 'release') release_messages();
    if (p === 'both') { release_messages(); hold_messages(); }
    if (p === 'refused') { release_messages(); hold_messages(); return -1; }`;

  test.each([
    ['', undefined],
    ['a b', undefined],
    ['hold', { released: false, kept: 1 }],
    ['a hold b hold', { released: false, kept: 3 }],
    ['hold release a', { released: true, kept: 0 }],
    ['hold both a', { released: true, kept: 2 }],
    ['release a hold', { released: true, kept: 1 }],
    ['hold refused a', { released: false, kept: 3 }],
    ['refused', undefined],
  ])('of %j', async (texts, held) => {
    expect((await run(code, texts.split(' '))).held).toEqual(held);
  });

  test('is released by a tick, also without a target', async () => {
    const source = 'function process_message() { hold_messages(); return 0; } function timer_event() { release_messages(); }';
    const sandbox = await start(source, { writes: false });
    expect((await sandbox.process(batchOf([line('a'), line('b')]), null)).held).toEqual({ released: false, kept: 2 });
    expect((await sandbox.timer(1n)).held).toEqual({ released: true, kept: 0 });
    expect((await sandbox.process(batchOf([line('a')]), Uint32Array.of(0))).held).toEqual({ released: false, kept: 1 });
  });

  test('cannot be said while the script is loading, nor by another kind', async () => {
    await expect(start('hold_messages(); function process_message() { return 0; }')).rejects.toThrow('hold_messages: not while');
    await expect(start('release_messages(); function process_message() { return 0; }')).rejects.toThrow('release_messages: not while');
    const filter = await start('function process_message() { return typeof hold_messages === "undefined" ? -1 : 0; }', {
      kind: 'filter',
      writes: false,
    });
    expect((await filter.process(batchOf([line('a')]), null)).failures).toHaveLength(1);
  });
});
