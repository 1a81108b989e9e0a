import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../engine/sandbox/contract/types.ts';
import { batchOf, line, SandboxBench } from './harness.ts';

const bench = new SandboxBench({ graceMs: 300 });
afterAll(() => bench.close());

const getter = (name: string, body: string): string => `let n = 0; Object.defineProperty(globalThis, '${name}', { get() { ${body} } });`;

describe('an entry point that is code of the script itself', () => {
  test.each([
    ['throws', getter('process_message', `throw new Error('none')`), /\.js:1:\d+: Error: none$/],
    ['does not end', getter('process_message', `for (;;);`), /^exceeded instruction_limit of 1000000 /],
    ['is not a function', `var process_message = {};`, /^process_message is missing$/],
  ])('at the load: %s', async (_title, source, reason) => {
    await expect(bench.start(source)).rejects.toThrow(reason);
  });

  test.each([
    ['throws', getter('process_message', `if (n++ > 0) throw new Error('late'); return () => 0;`), /Error: late$/],
    ['does not end', getter('process_message', `if (n++ > 0) for (;;); return () => 0;`), /^exceeded instruction_limit of 1000000 /],
    ['becomes something else', `export let process_message = () => { process_message = 5; return 1; };`, /returned 1$/],
    ['is a class', `globalThis.process_message = class A {};`, /cannot be invoked without 'new'$/],
    ['is a proxy', `globalThis.process_message = new Proxy(function () {}, { apply: () => 1 });`, /returned 1$/],
    ['is a generator', `function* process_message() { yield 0; }`, /must return a number$/],
    ['is bound', `globalThis.process_message = (() => 1).bind(null);`, /returned 1$/],
  ])('later: %s', async (_title, source, reason) => {
    const sandbox = await bench.start(source);
    expect((await sandbox.process(batchOf([line('a')]), null)).terminated?.reason).toMatch(reason);
  });

  test('an input whose top level does not end is stopped by the clock', async () => {
    const script = bench.file('endless.js', `for (;;); function process_message() {}`);
    const limits = { ...DEFAULT_LIMITS, callMs: 200 };
    const spec = { ...{ name: 'endless', script, modules: [], config: {}, hostname: 'h', pid: 1 }, kind: 'input' as const, limits };
    await expect(bench.pool.createInput(spec)).rejects.toThrow('exceeded the time limit of 200 ms');
  });
});
