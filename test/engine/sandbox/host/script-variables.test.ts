import { describe, expect, test } from 'vitest';
import { instrument } from '../../../../engine/sandbox/host/instrument.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../harness.ts';

/** More calls than the history of a journal holds. */
const CALLS = 300;

/** Scripts that count their messages in a variable: its declaration, the statement that counts, and an expression for the count. */
const holders: readonly (readonly [what: string, state: string, count: string, show: string])[] = [
  ['let', `let n = 0;`, `n++`, `n`],
  ['let of several', `let a = 1, { n, m } = { n: 0, m: 5 }, [k] = [7];`, `n++; k = 8`, `n + (k === 8 && m === 5 && a === 1 ? 0 : -1e6)`],
  ['a list', `const list = [];`, `list.push(1)`, `list.length`],
  ['an object', `const o = { n: 0, inner: { n: 0 } };`, `o.n++; o.inner.n += 2`, `o.n + o.inner.n / 2 - o.n`],
  ['a method', `const o = { n: 0, add() { this.n++; } };`, `o.add()`, `o.n`],
  ['a method of an inner object', `const o = { in: { n: 0, add() { this.n++; } } };`, `o.in.add()`, `o.in.n`],
  [
    'a map and a set',
    `const m = new Map(), s = new Set();`,
    `m.set('n', (m.get('n') ?? 0) + 1); s.add(m.get('n'))`,
    `(m.get('n') + s.size) / 2`,
  ],
  [
    'numbers',
    `const f = new Float64Array(3), v = new DataView(f.buffer);`,
    `f[1]++; v.setInt8(0, 7)`,
    `f[1] + (v.getInt8(0) === 7 ? 0 : -1e6)`,
  ],
  ['bytes', `const b = new Uint8Array(new ArrayBuffer(8), 2, 4);`, `b[0]++; b[1] += b[0] === 0`, `b[0] + 256 * b[1]`],
  ['a date', `const d = new Date(0);`, `d.setTime(d.getTime() + 1)`, `d.getTime()`],
  ['BigInt and nothing', `let n = 0n, last = null;`, `last = undefined; n += 1n`, `last === undefined ? Number(n) : -1`],
  ['shared', `const a = { list: [] }; let b = a;`, `b.list.push(1)`, `a === b ? a.list.length : -1`],
  ['a cycle', `const a = { n: 0 }; a.self = a;`, `a.self.n++`, `a.self.self.n`],
  ['let beside a global variable', `let n = 0; var seen = 0;`, `n++; seen++`, `n === seen ? n : -1`],
  ['a global object with functions', `var api = { n: 0, add() { this.n++; } };`, `api.add()`, `api.n`],
  ['a constant that is frozen', `const o = Object.freeze({ in: { n: 0 } }); let n = 0;`, `n++; o.in.n++`, `n`],
  ['what a function makes', `const make = () => ({ n: 0 }); let o = make();`, `o.n++; o = { ...o }`, `o.n`],
  ['what cannot be kept beside what can', `const keys = new Map([[{}, 1]]); var n = 0;`, `n++; keys.set({}, 2)`, `n`],
  [
    'an object of a class',
    `class A { n = 0; toSaved() { return this.n; } restore(n) { this.n = n; } static fromSaved(n) { return new A().restore(n); } } const a = new A();`,
    `a.n++`,
    `a.n`,
  ],
];

const deadly = `function process_message() { Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }`;
const one = batchOf([line('a')]);

describe('when a host dies after a long time, its other scripts go on with the variables of their top level', () => {
  test.each([
    ['classic', '.js', ''],
    ['module', '.mjs', 'export '],
  ])('of a %s script', async (_form, extension, exported) => {
    const bench = new SandboxBench({ hosts: 1, graceMs: 300 });
    try {
      const started = holders.map(([, state, count, show]) =>
        bench.start(
          `${state}\n${exported}function process_message() { ${count}; return 0; }\n${exported}function timer_event() { inject_message({ Payload: String(${show}) }); }`,
          { extension },
        ),
      );
      const sandboxes = await Promise.all(started);
      for (let i = 0; i < CALLS; i++) await Promise.all(sandboxes.map((sandbox) => sandbox.process(one, null)));
      const hostile = await bench.start(deadly, { limits: { callMs: 500 } });
      const pids = bench.pool.hostPids;
      expect((await hostile.process(one, null)).terminated?.reason).toBe('exceeded the time limit of 500 ms');
      for (const sandbox of sandboxes) await sandbox.process(one, null);
      expect(bench.pool.hostPids).not.toEqual(pids);
      const shown = await Promise.all(sandboxes.map((sandbox) => sandbox.timer(1n)));
      const counts = shown.map((result) => messagesOf(result)[0]?.payload);
      expect(holders.map(([what], i) => [what, counts[i]])).toEqual(holders.map(([what]) => [what, String(CALLS + 1)]));
    } finally {
      await bench.close();
    }
  });

  test('of modules', async () => {
    const bench = new SandboxBench({ hosts: 1, graceMs: 300 });
    try {
      bench.file('counted.js', `let n = 0; module.exports = { add() { n++; }, get: () => n };`);
      bench.file('also.mjs', `var n = 0; export const add = () => n++; export const get = () => n;`);
      const sandbox = await bench.start(
        `const a = require('counted'), b = require('also');
         function process_message() { a.add(); b.add(); return 0; }
         function timer_event() { inject_message({ Payload: [a.get(), b.get()].join() }); }`,
      );
      for (let i = 0; i < CALLS; i++) await sandbox.process(one, null);
      const hostile = await bench.start(deadly, { limits: { callMs: 500 } });
      await hostile.process(one, null);
      expect(messagesOf(await sandbox.timer(1n))[0]?.payload).toBe(`${CALLS},${CALLS}`);
    } finally {
      await bench.close();
    }
  });
});

test('a file keeps only global variables', async () => {
  const bench = new SandboxBench();
  const preservation = `${bench.folder}/state.data`;
  const source = `let n = 0; var seen = 0; function process_message() { n++; seen++; return 0; } function timer_event() { inject_message({ Payload: [n, seen].join() }); }`;
  try {
    const sandbox = await bench.start(source, { preservation });
    for (let i = 0; i < CALLS; i++) await sandbox.process(one, null);
    await sandbox.stop();
    const next = await bench.start(source, { preservation });
    expect(messagesOf(await next.timer(1n))[0]?.payload).toBe(`0,${CALLS}`);
  } finally {
    await bench.close();
  }
});

describe('what is made known of a script', () => {
  const known = (source: string): string[] => {
    const { code } = instrument(source, undefined, undefined, true);
    return [...(/\n\{const \$__o=\$__k\(\{(.*)\}\);\}$/.exec(code)?.[1] ?? '').matchAll(/"(\w+)":\[\(\)=>\w+(,)?/g)].map(
      ([, name, set]) => `${name}${set === undefined ? '' : ' ='}`,
    );
  };

  test.each<[source: string, names: string[]]>([
    ['let n = 0; function f() { n++; }', ['n =']],
    ['let n = 0; n++;', []],
    ['const t = [1]; function f() { return t[0]; }', []],
    ['const t = []; function f() { t[0] = 1; }', ['t']],
    ['const t = {}; function f() { t.a.b().c = 1; }', ['t']],
    ['const t = {}; function f() { delete t.a; }', ['t']],
    ['const t = []; function f() { t.push(1); }', ['t']],
    ['const t = []; function f() { g(t); }', ['t']],
    ['const t = {}; function f() { t?.a?.b(); }', ['t']],
    ['let a, b; function f() { [a, { b }] = g(); }', ['a =', 'b =']],
    ['let a; const f = () => { for (a of []); };', ['a =']],
    ['var n = 0; function f() { n++; }', []],
    ['export var n = 0; export function f() { n++; }', ['n =']],
    ['export let { n, ...m } = {}; export function f() { n = m.x(); }', ['n =', 'm']],
    ['function f() { let n = 0; n++; }', []],
    ['let __proto__ = 0, n = 0; function f() { __proto__++; n++; }', ['n =']],
    ['let f = function () { n = 1 }, n = f', ['n =']],
    ['let n = 0; // the end\nfunction f() { n = 1; } // of it', ['n =']],
  ])('%s', (source, names) => {
    expect(known(source)).toEqual(names);
  });
});
