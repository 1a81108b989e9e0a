import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { batchOf, line, messagesOf, SandboxBench } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const TOO_MANY = /its own code for that exceeded 100000000 steps$/;
const COUNT = `var n = 0; function process_message() { n++; return 0; } function timer_event() { inject_message({ Pid: n }); }`;

/** Scripts with code that never ends and that saving the state runs. */
const endless: readonly (readonly [what: string, state: string])[] = [
  ['toSaved', `class A { toSaved() { for (;;); } } var a = new A();`],
  ['a getter of it', `class A { get toSaved() { for (;;); } } var a = new A();`],
  ['a getter of its class', `class A { toSaved() { return 1; } get ['constructor']() { for (;;); } } var a = new A();`],
  ['one that makes another one each time', `class A { toSaved() { return { next: new A() }; } } var a = new A();`],
  ['a proxy', `var a = new Proxy({}, { ownKeys() { for (;;); } });`],
  ['the descriptors of a proxy', `var a = new Proxy({ b: 1 }, { getOwnPropertyDescriptor() { for (;;); } });`],
  ['the prototype of a proxy', `var a = new Proxy({}, { getPrototypeOf() { for (;;); } });`],
];

describe('a state that is never done', () => {
  test.each(endless)('is not kept, and the script goes on: %s', async (_what, state) => {
    const sandbox = await bench.start(`${COUNT} ${state}`);
    await sandbox.process(batchOf([line('a')]), null);
    await expect(sandbox.save?.(join(bench.folder, 'never.data'))).rejects.toThrow(
      /cannot be saved: .*(exceeded 100000000 steps|exceeded memory_limit)/,
    );
    expect(existsSync(join(bench.folder, 'never.data'))).toBe(false);
    await sandbox.stop();
  });

  test('leaves the script at work', async () => {
    const sandbox = await bench.start(`${COUNT} ${endless[0]?.[1] ?? ''}`);
    await sandbox.process(batchOf([line('a')]), null);
    await expect(sandbox.save?.(join(bench.folder, 'never.data'))).rejects.toThrow(TOO_MANY);
    await sandbox.process(batchOf([line('a')]), null);
    expect(messagesOf(await sandbox.timer(1n))[0]?.pid).toBe(2);
    await sandbox.stop();
  });

  test('makes no checkpoint either, and the script goes on', async () => {
    const source = `let own = 0; class A { toSaved() { for (;;); } } var a = new A(); function process_message() { own++; return 0; }`;
    const sandbox = await bench.start(`${source} function timer_event() { inject_message({ Pid: own }); }`);
    // A checkpoint is due within this number of calls.
    for (let i = 0; i < 100; i++) await sandbox.process(batchOf([line('a')]), null);
    expect(messagesOf(await sandbox.timer(1n))[0]?.pid).toBe(100);
    expect(sandbox.state).toBe('running');
    await sandbox.stop();
  });

  test('ends a script that catches the error', async () => {
    const sandbox = await bench.start(`${COUNT} class A { toSaved() { for (;;) try { for (;;); } catch {} } } var a = new A();`);
    await sandbox.process(batchOf([line('a')]), null);
    await expect(sandbox.save?.(join(bench.folder, 'never.data'))).rejects.toThrow(TOO_MANY);
    // The sandbox may end before the call or during it.
    const next = await sandbox.process(batchOf([line('a')]), null).catch((error: Error) => error);
    expect(next instanceof Error ? next.message : next.terminated?.reason).toMatch(TOO_MANY);
    expect(sandbox.state).toBe('terminated');
  });

  test('fails the start when it is put back', async () => {
    const preservation = join(bench.folder, 'endless.data');
    const source = (restore: string): string =>
      `${COUNT} class A { toSaved() { return 1; } static fromSaved() {} restore() { ${restore} } } var a = new A();`;
    await (await bench.start(source(''), { preservation })).stop();
    await expect(bench.start(source('for (;;);'), { preservation })).rejects.toThrow(TOO_MANY);
  });
});
