import { afterAll, describe, expect, test } from 'vitest';
import type { SandboxKind, SandboxResult } from '../../../../engine/sandbox/contract/types.ts';
import { modulesFolder } from '../../../../engine/plugins/catalog.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const failing = `{\n  null.x;\n  return 0;\n}`;

describe('the text of a script may be', () => {
  const places: readonly (readonly [title: string, source: string, place: string, extension?: string])[] = [
    ['marked by its byte order', `\ufefffunction process_message() ${failing}`, '2:8'],
    ['a command', `#!/usr/bin/env sluicebox\nfunction process_message() ${failing}`, '3:8'],
    ['both', `\ufeff#!/usr/bin/env sluicebox\nfunction process_message() ${failing}`, '3:8'],
    ['both, in TypeScript', `\ufeff#!/usr/bin/env sluicebox\nexport function process_message(): number ${failing}`, '3:8', '.ts'],
    ['of lines with CR and LF', `var a;\r\nfunction process_message() ${failing.replaceAll('\n', '\r\n')}\r\n`, '3:8'],
    ['of lines with CR', `var a;\rfunction process_message() ${failing.replaceAll('\n', '\r')}\r`, '3:8'],
    ['of lines as Unicode has them', `var a;\u2028function process_message() ${failing.replaceAll('\n', '\u2029')}`, '3:8'],
    ['without an end of line', `function process_message() ${failing}`, '2:8'],
    ['full of letters', `const ñé = '日本';\n/* 😀 */ function process_message() { const 𠮷 = ñé; null.x; return 𠮷; }`, '2:59'],
    ['with types over lines', `export function process_message(\n): (\n  number\n) ${failing}`, '5:8', '.ts'],
    [
      'with a type on the line of the mistake',
      `export function process_message() { const a: { b: string } = null!; return (a as { b: string }).b; }`,
      '1:97',
      '.ts',
    ],
    ['with loops before it on its line', `function process_message() { for (const a of [1]) { a; } while (0); null.x; }`, '1:74'],
    [
      'with a function in a function',
      `const f = () => () => { for (;;) return null.x; };\nfunction process_message() { return f()(); }`,
      '1:46',
    ],
    ['thrown in a class', `class A { #p = null; get g() { return this.#p.x; } }\nfunction process_message() { return new A().g; }`, '1:47'],
  ];

  test.each(places.map(([title, source, place, extension = '.js']) => [title, source, place, extension] as const))(
    '%s, and mistakes are found in it',
    async (_title, source, place, extension) => {
      const sandbox = await bench.start(source, { extension });
      const { terminated } = await sandbox.process(batchOf([line('a')]), null);
      expect(terminated?.reason).toMatch(new RegExp(`^process_message\\(\\) \\S+:${place}: TypeError: Cannot read properties of null`));
    },
  );

  test.each([
    ['sloppy', `undeclared = 5; function process_message() { return [-1, String(undeclared + 010)]; }`, '13'],
    ['strict', `'use strict'; function process_message() { try { undeclared = 5; } catch (e) { return [-1, e.name]; } }`, 'ReferenceError'],
    ['a module, which is strict', `export function process_message() { return [-1, typeof this]; }`, 'undefined'],
    ['with escapes in names', `var \\u{61}b = 1; function process_message() { return [-1, String(ab)]; }`, '1'],
    ['with a comment as in HTML', `<!-- x\nfunction process_message() { return [-1, 'y']; }\n--> z`, 'y'],
    ['with an arrow as its entry', `globalThis.process_message = () => [-1, 'arrow'];`, 'arrow'],
    ['with a var as its entry', `var process_message = function () { return [-1, 'var']; };`, 'var'],
    ['with an exported const', `export const process_message = () => [-1, 'const'];`, 'const'],
    ['with an export under another name', `const f = () => [-1, 'renamed']; export { f as process_message };`, 'renamed'],
  ])('%s', async (_title, source, reason) => {
    const sandbox = await bench.start(source);
    expect((await sandbox.process(batchOf([line('a')]), null)).failures).toEqual([{ row: 0, reason }]);
  });

  test.each([
    ['a let as its entry', `let process_message = () => 0;`, 'process_message is missing'],
    ['await at its top level', `const a = 1;\nawait a;\nexport function process_message() {}`, ':2:1: await is not available'],
    ['await, and nothing of a module', `const a = 1;\nawait 1;`, ':2:1: await is not available'],
    ['a mistake behind an export', `export const a = 1;\nconst b = ;`, ':2:11: Unexpected token'],
    ['a mistake before an export', `const b = ;\nexport const a = 1;`, ':1:11: Unexpected token'],
    [
      'a name of the counter, in disguise',
      `function process_message() { \\u0024__n = 1e9; }`,
      ':1:30: names that begin with $__ are reserved',
    ],
  ])('not %s', async (_title, source, reason) => {
    await expect(bench.start(source)).rejects.toThrow(reason);
  });
});

describe('what process_message returns', () => {
  type Outcome = 'done' | 'refused' | 'no output' | 'ended';
  const outcomes: readonly (readonly [returned: string, outcome: Outcome, text: string])[] = [
    ['0', 'done', ''],
    ['-0', 'done', ''],
    ['0.999', 'done', ''],
    ['-0.999', 'done', ''],
    ['[0]', 'done', ''],
    ['[0, "a text"]', 'done', ''],
    ['-1', 'refused', ''],
    ['-3.7', 'refused', ''],
    ['-Infinity', 'refused', ''],
    ['-(2 ** 40)', 'refused', ''],
    ['[-1, "why"]', 'refused', 'why'],
    ['[-1, null]', 'refused', ''],
    ['[-1, "\\ud800"]', 'refused', '\ud800'],
    ['-2', 'no output', ''],
    ['[-2.5, "why"]', 'no output', 'why'],
    ['1', 'ended', 'process_message() returned 1'],
    ['1.9', 'ended', 'process_message() returned 1'],
    ['[7, "enough"]', 'ended', 'enough'],
    ['[7, ""]', 'ended', 'process_message() returned 7'],
    ['Infinity', 'ended', 'process_message() returned Infinity'],
    ['undefined', 'ended', 'process_message() must return a number'],
    ['null', 'ended', 'process_message() must return a number'],
    ['NaN', 'ended', 'process_message() must return a number'],
    ['"0"', 'ended', 'process_message() must return a number'],
    ['0n', 'ended', 'process_message() must return a number'],
    ['false', 'ended', 'process_message() must return a number'],
    ['new Number(0)', 'ended', 'process_message() must return a number'],
    ['[]', 'ended', 'process_message() must return a number'],
    ['["0"]', 'ended', 'process_message() must return a number'],
    ['() => 0', 'ended', 'process_message() must return a number'],
    ['{ then() {} }', 'ended', 'process_message() must return a number'],
    ['[-1, 5]', 'ended', 'process_message() must return a text as its second value'],
    ['[0, {}]', 'ended', 'process_message() must return a text as its second value'],
  ];

  const outcomeOf = (kind: SandboxKind, { failures, terminated, injected, passed }: SandboxResult): readonly [Outcome, string] => {
    if (terminated !== null) return ['ended', terminated.reason];
    const [failure] = failures;
    if (failure !== undefined) return ['refused', failure.reason];
    if (kind === 'decoder') return [injected?.length === 1 ? 'done' : 'no output', ''];
    return [kind !== 'encoder' || passed?.length === 1 ? 'done' : 'no output', ''];
  };

  test.each(['decoder', 'filter', 'encoder', 'output'] as const)('by a %s', async (kind) => {
    const seen = await Promise.all(
      outcomes.map(async ([returned]) => {
        const sandbox = await bench.start(`function process_message() { return (${returned}); }`, { kind });
        const result = await sandbox.process(batchOf([line('a')]), null);
        await sandbox.stop();
        return [returned, ...outcomeOf(kind, result)] as const;
      }),
    );
    const expected = outcomes.map(([returned, outcome, text]) => {
      if (outcome !== 'no output') return [returned, outcome, text];
      return kind === 'encoder' ? [returned, outcome, ''] : [returned, 'refused', text];
    });
    expect(seen).toEqual(expected);
  });
});

test('a script takes the same number of steps in each run and on each host', async () => {
  const source = `
    const graph = new Map();
    const helper = (n) => { let sum = 0; for (let i = 0; i < n; i++) { if (i % 7 === 0) continue; sum += [...String(i)].map(Number).reduce((a, b) => a + b, 0); } return sum; };
    class Tree { #left = null; add(n) { let node = this; while (node.#left !== null && n-- > 0) node = node.#left; node.#left = new Tree(); } }
    const tree = new Tree();
    function* pairs(n) { for (let i = 0; i < n; i++) yield [i, helper(i % 20)]; }
    function process_message() {
      const n = Number(read_message('Payload'));
      for (const [key, value] of pairs(n)) graph.set(key, (graph.get(key) ?? 0) + value);
      try { for (let i = 0; ; i++) if (i > n) throw new Error('x'); } catch { tree.add(n); }
      inject_message({ Fields: Object.fromEntries([...graph].slice(0, 5).map(([k, v]) => ['f' + k, v])) });
      'aXbXc'.replace(/X/g, () => String(n)).split('').sort((a, b) => (a < b ? -1 : 1));
      return 0;
    }`;
  const two = new SandboxBench({ hosts: 2 });
  try {
    const counts: unknown[] = [];
    const injected: unknown[] = [];
    for (let run = 0; run < 4; run++) {
      const sandbox = await two.start(source);
      const seen: number[] = [];
      for (const n of [3, 50, 7]) {
        const result = await sandbox.process(batchOf([line(String(n)), line('2')]), null);
        injected.push(messagesOf(result).map(({ fields }) => fields));
        seen.push((await sandbox.report()).instructions.maximum);
      }
      counts.push(seen);
    }
    expect(new Set(counts.map((seen) => JSON.stringify(seen))).size).toBe(1);
    expect(new Set(injected.map((seen) => JSON.stringify(seen))).size).toBe(3);
    expect(two.pool.hostPids).toHaveLength(2);
  } finally {
    await two.close();
  }
});

test('a script of a size that would keep its host busy is refused', async () => {
  await expect(bench.start('a;'.repeat(3e6))).rejects.toThrow(/\.js is larger than 4194304 characters$/);
});

test('an import that is not there is refused with its place', async () => {
  const source = "const a = './none.ts';\n  import { b } from './none.ts';\nexport function process_message() { return b; }";
  await expect(bench.start(source, { extension: '.ts' })).rejects.toThrow(/:2:3: cannot find '\.\/none\.ts'$/);
});

test.each([
  ["import { send } from 'alrt';", /:1:1: module 'alrt' not found:[^]*\n\tdid you mean 'alert'\?$/],
  ["import { b } from './neighbor.ts';", /:1:1: cannot find '\.\/neighbor\.ts'; did you mean '\.\/neighbour\.ts'\?$/],
])('an import of what is nearly there is refused with a question: %s', async (text, said) => {
  bench.file('neighbour.ts', 'export const b = 1;');
  const started = bench.start(`${text}\nexport function process_message() { return 0; }`, { extension: '.ts', modules: [modulesFolder()] });
  await expect(started).rejects.toThrow(said);
});

test.each([
  ["import { send,\n  snd } from 'alert';", 2, 3, 'snd'],
  ["import alert from 'alert';", 1, 8, 'default'],
  ["export { snd as send } from 'alert';", 1, 10, 'snd'],
])('an import of what a module does not export is refused with its place: %s', async (text, line, column, name) => {
  const started = bench.start(`${text}\nexport function process_message() { return 0; }`, { modules: [modulesFolder()] });
  await expect(started).rejects.toThrow(new RegExp(`:${line}:${column}: 'alert' has no export '${name}'$`));
});

describe('what stripping types leaves over is refused with its place', () => {
  const entry = 'export function process_message(): number { return 0; }';
  test.each([
    [`const a = 1;\n  enum A { B }\n${entry}`, /:2:3: TypeScript enum/],
    [`${entry}\nconst enum A { B }`, /:2:1: TypeScript enum/],
    [`${entry}\nnamespace N { export const a = 1; }`, /:2:1: TypeScript namespace/],
    [`class A {\n  constructor(private x: number) {}\n}\n${entry}`, /:2:23: TypeScript parameter property/],
    [`${entry}\n@dec class A {}`, /:2:1: decorators are not available/],
    [`import x = require('y');\n${entry}`, /:1:1: TypeScript import equals/],
    [`const x = <number>5;\n${entry}`, /:1:11: The angle-bracket syntax/],
    [`let x = 1 as\n${entry}`, /:2:1: Unexpected token/],
  ])('%j', async (source, reason) => {
    await expect(bench.start(source, { extension: '.ts' })).rejects.toThrow(reason);
  });

  test('and types of all kinds are taken', async () => {
    const source = `type A = { a: number };
      interface B {}
      declare enum C { D }
      abstract class E { abstract x(): void; declare y: number; z!: string }
      const q = { a: 1 } satisfies A;
      function f<T extends A>(this: void, a?: T): asserts a is T {}
      let n = q!.a as unknown as number;
      ${entry}`;
    await expect(bench.start(source, { extension: '.ts' })).resolves.toMatchObject({ state: 'running' });
  });
});

describe('a script in TypeScript that brings the compiler of types down', () => {
  const good = 'export function process_message(): number { return -1; }';
  const isGood = async (): Promise<void> => {
    const sandbox = await bench.start(good, { extension: '.ts' });
    expect((await sandbox.process(batchOf([line('a')]), null)).failures).toHaveLength(1);
  };

  test('is refused by the place of its deepest bracket, and does not touch others of its host', async () => {
    const pids = bench.pool.hostPids;
    const source = `${good}\nconst a = ${'('.repeat(100_000)}1${')'.repeat(100_000)};`;
    await expect(bench.start(source, { extension: '.ts' })).rejects.toThrow(/\.ts:2:211: more than 200 brackets are open here: write/);
    await isGood();
    expect(bench.pool.hostPids).toEqual(pids);
  });

  test('without brackets is refused, and its host replaced: those on it go on', async () => {
    const counting = await bench.start('let n = 0;\nexport function process_message() { return [-1, String(++n)]; }');
    const count = async (): Promise<string | undefined> => (await counting.process(batchOf([line('a')]), null)).failures[0]?.reason;
    expect(await count()).toBe('1');
    const pids = bench.pool.hostPids;
    const source = `${good}\n${'if (1) '.repeat(100_000)};`;
    await expect(bench.start(source, { extension: '.ts' })).rejects.toThrow(/\.ts: Node's compiler of types fails at it, most likely/);
    await isGood();
    expect(bench.pool.hostPids).not.toEqual(pids);
    expect(await count()).toBe('2');
  });

  test('as a module is refused in the same way', async () => {
    bench.file('deep.ts', `export const a = 1;\n${'while (0) '.repeat(100_000)};`);
    await expect(bench.start(`import { a } from 'deep';\n${good.replace('-1', 'a')}`, { extension: '.ts' })).rejects.toThrow(
      /deep\.ts: Node's/,
    );
    await isGood();
  });
});
