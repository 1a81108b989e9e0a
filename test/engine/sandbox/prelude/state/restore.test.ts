import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { batchOf, message, messagesOf, SandboxBench } from '../../harness.ts';

const problems: string[] = [];
const bench = new SandboxBench({ onStateProblem: (_spec, problem) => problems.push(problem) });
afterAll(() => bench.close());

const modules = [join(import.meta.dirname, '../../../../../plugins/modules'), bench.folder];
let files = 0;

interface Script {
  /** The top level. */
  readonly top: string;
  /** Statements of process_message. */
  readonly change?: string;
  /** Expression whose value is shown. */
  readonly show: string;
}

const sourceOf = ({ top, change = '', show }: Script): string =>
  `${top}\nfunction process_message() { ${change}; return 0; }\nfunction timer_event() { inject_message({ Payload: String(${show}) }); }`;

/** Runs a script so many times with its state, each time with one message, and returns what it shows after each. */
async function shown(script: Script, runs = 3, last = script): Promise<(string | undefined)[]> {
  const preservation = join(bench.folder, `merge-${files++}.data`);
  const results: (string | undefined)[] = [];
  problems.length = 0;
  for (let run = 0; run < runs; run++) {
    const sandbox = await bench.start(sourceOf(run === runs - 1 ? last : script), { modules, preservation });
    const { terminated } = await sandbox.process(batchOf([message()]), null);
    results.push(terminated === null ? messagesOf(await sandbox.timer(1n))[0]?.payload : terminated.reason);
    await sandbox.stop();
  }
  return results;
}

bench.file('tally.js', `exports.count = 0; exports.add = function () { exports.count++; return exports.count; };`);
bench.file('notes.mjs', `export const notes = []; export let n = 0; export function note() { notes.push(++n); return notes.length; }`);

describe('what cannot be kept is left as the top level made it', () => {
  test.each<[string, Script, string[]]>([
    [
      'a bundled module',
      { top: `var alert = require('alert');`, change: `alert.set_throttle(1)`, show: `typeof alert.send` },
      ['function', 'function', 'function'],
    ],
    [
      'a module in an object',
      {
        top: `var lib = { n: 0, alert: require('alert') };`,
        change: `lib.n++; lib.alert.set_throttle(1)`,
        show: `lib.n + typeof lib.alert.send`,
      },
      ['1function', '2function', '3function'],
    ],
    [
      'a module with data',
      { top: `var t = require('tally');`, change: `t.add()`, show: `t.count + typeof t.add` },
      ['1function', '2function', '3function'],
    ],
    ['objects in an ES module', { top: `var m = require('notes');`, change: `m.note()`, show: `m.notes` }, ['1', '1,1', '1,1,1']],
    [
      'an object with functions',
      {
        top: `var state = { count: 0, handler: function () { return 'h' + this.count; }, last: null };`,
        change: `state.count++; state.last = [state.count]`,
        show: `state.handler() + state.last + Object.keys(state)`,
      },
      ['h11count,handler,last', 'h22count,handler,last', 'h33count,handler,last'],
    ],
    [
      'functions deep inside',
      {
        top: `var a = { b: [{ c: new Map([['k', { n: 0, f() { return ++this.n; } }]]) }] };`,
        change: `a.b[0].c.get('k').f()`,
        show: `a.b[0].c.get('k').n`,
      },
      ['1', '2', '3'],
    ],
    [
      'functions in arrays',
      {
        top: `var list = [0, () => 'f', 2];`,
        change: `list[0]++; list.length < 5 && list.push('x')`,
        show: `list[0] + list[1]() + list.slice(2)`,
      },
      ['1f2,x', '2f2,x,x', '3f2,x,x'],
    ],
    ['only functions', { top: `var list = [() => 1, () => 2];`, show: `list.map((f) => f())` }, ['1,2', '1,2', '1,2']],
    [
      'functions in maps and sets',
      {
        top: `var m = new Map([['f', () => 1], ['n', 0]]), s = new Set([() => 1, 5]);`,
        change: `m.set('n', m.get('n') + 1); s.add(m.get('n'))`,
        show: `[...m.keys(), m.get('f')(), m.get('n'), s.size, [...s].filter((f) => typeof f === 'function').length]`,
      },
      ['f,n,1,1,3,1', 'f,n,1,2,4,1', 'f,n,1,3,5,1'],
    ],
    [
      'objects of a class',
      {
        top: `class Counter { n = 0; add() { return ++this.n; } } var c = new Counter(), all = { in: new Counter() };`,
        change: `c.add(); all.in.add(); all.in.add()`,
        show: `c.n + '' + all.in.n + (c instanceof Counter)`,
      },
      ['12true', '24true', '36true'],
    ],
    [
      'objects with private members, as a whole',
      {
        top: `class Mean { #sum = 0; items = []; add(x) { this.#sum += x; this.items.push(x); } get mean() { return this.#sum / this.items.length; } } var m = new Mean();`,
        change: `m.add(4)`,
        show: `m.mean`,
      },
      ['4', '4', '4'],
    ],
    [
      'accessors',
      {
        top: `var o = { n: 0, get twice() { return this.n * 2; }, set twice(v) { this.n = v / 2; } };`,
        change: `o.n++; o.twice += 2`,
        show: `o.twice`,
      },
      ['4', '8', '12'],
    ],
    [
      'expressions, symbols and weak maps',
      {
        top: `var r = /a/g, s = Symbol.for('x'), w = new WeakMap(), n = 0, f = () => 1;`,
        change: `n++; w.set({}, 1)`,
        show: `[r.test('a'), s.description, w instanceof WeakMap, n, f()]`,
      },
      ['true,x,true,1,1', 'true,x,true,2,1', 'true,x,true,3,1'],
    ],
    [
      'proxies',
      { top: `var p = new Proxy({ n: 0 }, { get: (t, k) => (k === 'hello' ? 'world' : t[k]) });`, change: `p.n++`, show: `p.n + p.hello` },
      ['1world', '2world', '3world'],
    ],
    ['a function behind nothing', { top: `var f = null;`, change: `f ??= () => 1; f()`, show: `f()` }, ['1', '1', '1']],
    ['nothing behind a function', { top: `var f = () => 1;`, change: `f = null`, show: `f` }, ['null', 'null', 'null']],
    [
      'the global object',
      { top: `var self = globalThis, n = 0;`, change: `self.n++`, show: `n + typeof self.process_message` },
      ['1function', '2function', '3function'],
    ],
    [
      'frozen objects',
      {
        top: `var o = Object.freeze({ limit: 5, f: () => 'f', in: { n: 0 } });`,
        change: `o.in.n++`,
        show: `o.limit + o.f() + o.in.n + Object.isFrozen(o)`,
      },
      ['5f1true', '5f2true', '5f3true'],
    ],
    [
      'frozen objects that replace each other',
      {
        top: `var o = Object.freeze({ n: 0, f() { return this.n; } }), l = Object.freeze([0]);`,
        change: `o = Object.freeze({ ...o, n: o.n + 1 }); l = Object.freeze([l[0] + 1])`,
        show: `o.f() + ',' + l[0] + Object.isFrozen(o) + Object.isFrozen(l)`,
      },
      ['1,1truetrue', '2,2truetrue', '3,3truetrue'],
    ],
    [
      'sealed objects',
      { top: `var o = Object.seal({ n: 0, f() { return this.n; } });`, change: `o.n++`, show: `o.f() + '' + Object.isSealed(o)` },
      ['1true', '2true', '3true'],
    ],
    [
      'shared objects',
      { top: `var a = { n: 0, f() { return this.n; } }, b = a, c = { a };`, change: `b.n++`, show: `a.f() + '' + (a === b) + (c.a === b)` },
      ['1truetrue', '2truetrue', '3truetrue'],
    ],
    [
      'objects that are no longer shared',
      { top: `var a = { n: 0, f() { return 'f'; } }, b = a;`, change: `b = { n: b.n + 10 }; a.n++`, show: `[a.n, b.n, a.f(), a === b]` },
      ['1,10,f,false', '2,20,f,false', '3,30,f,false'],
    ],
    [
      'cycles with functions',
      {
        top: `var a = { n: 0, f() { return this.self.n; } }; a.self = a; a.list = [a];`,
        change: `a.n++`,
        show: `a.f() + String(a.list[0] === a)`,
      },
      ['1true', '2true', '3true'],
    ],
    [
      'what a constant holds too',
      { top: `const o = { n: 0, f() { return this.n; } }; var all = { o };`, change: `o.n++`, show: `o.f() + ',' + all.o.n` },
      ['1,1', '2,2', '3,3'],
    ],
    [
      'objects in a property that cannot be assigned',
      { top: `Object.defineProperty(globalThis, 'fixed', { value: { n: 0 }, enumerable: true });`, change: `fixed.n++`, show: `fixed.n` },
      ['1', '2', '3'],
    ],
    [
      'properties that cannot be assigned',
      {
        top: `var o = Object.defineProperty({ n: 0 }, 'id', { value: 7, enumerable: true });`,
        change: `o.n++`,
        show: `[o.id, o.n, Object.keys(o)]`,
      },
      ['7,1,n,id', '7,2,n,id', '7,3,n,id'],
    ],
    [
      'the properties of data, which may be gone',
      { top: `var o = { a: 1, b: 2, f() {} };`, change: `delete o.a; o.c = 3`, show: `Object.keys(o)` },
      ['b,f,c', 'b,f,c', 'b,f,c'],
    ],
    [
      'a map with objects as keys',
      {
        top: `var m = new Map([[{}, 1], ['n', 0]]), n = 0;`,
        change: `m.set('n', m.get('n') + 1); m.set({}, 2); n++`,
        show: `[m.get('n'), n, m.size]`,
      },
      ['1,1,3', '2,2,3', '3,3,3'],
    ],
    [
      'errors',
      { top: `var e = new Error('none'), n = 0;`, change: `n++; e = new Error('e' + n)`, show: `e.message + n` },
      ['e11', 'e22', 'e33'],
    ],
  ])('%s', async (_what, script, expected) => {
    expect(await shown(script)).toEqual(expected);
  });

  test('and a function that a later version of the script adds stays', async () => {
    const top = `var o = { n: 0 };`;
    const script: Script = { top, change: `o.n++`, show: `o.n` };
    const later: Script = { top: `var o = { n: 0, f() { return 'f' + this.n; } };`, change: `o.n++`, show: `o.f()` };
    expect(await shown(script, 2, later)).toEqual(['1', 'f2']);
  });
});

describe('what is not kept is said once, with its name', () => {
  test.each<[string, Script, RegExp | null]>([
    [
      'a map with objects as keys',
      { top: `var m = new Map([[{}, 1]]), n = 0;`, show: '1' },
      /^not kept with its preserved data: m \(1 of its entries: their keys are objects, functions or symbols\)$/,
    ],
    ['one inside', { top: `var a = { list: [0, new Map([[{}, 1]])] };`, show: '1' }, /: a\.list\[1\] \(1 of its entries/],
    ['a weak map', { top: `var seen = new WeakSet();`, show: '1' }, /: seen \(a WeakSet\)$/],
    [
      'private members',
      { top: `class A { #n = 1; get n() { return this.#n; } } var a = [new A()];`, show: '1' },
      /: a\[0\] \(an instance of A, which has private members\)$/,
    ],
    [
      'a class that extends a container',
      { top: `class A extends Map {} var a = new A();`, show: '1' },
      /: a \(an instance of A, which extends Map\)$/,
    ],
    [
      'what throws',
      { top: `class A { toSaved() { throw new Error('no'); } } var a = new A();`, show: '1' },
      /: a \(its own code failed: Error: no\)$/,
    ],
    [
      'a proxy that throws',
      { top: `var p = { in: new Proxy({}, { ownKeys() { throw new Error('no'); } }) };`, show: '1' },
      /: p\.in \(its own code failed: Error: no\)$/,
    ],
    [
      'a proxy that is revoked',
      { top: `var r = Proxy.revocable({}, {}); var p = r.proxy; r.revoke(); r = null;`, show: '1' },
      /: p \(its own code failed: TypeError/,
    ],
    [
      'functions, expressions and modules',
      { top: `var f = () => 1, r = /a/, o = { f }, alert = require('alert'), s = Symbol('s');`, show: '1' },
      null,
    ],
  ])('%s', async (_what, script, expected) => {
    await shown(script, 2);
    if (expected === null) expect(problems).toEqual([]);
    else {
      // Once in each run.
      expect(problems.length).toBe(2);
      for (const problem of problems) expect(problem).toMatch(expected);
    }
  });

  test.each<[string, Script, string]>([
    ['a function', { top: `var all = {};`, change: `all.a ??= { n: 1, send() {} }`, show: '1' }, 'all.a.send (a function)'],
    [
      'an object of a class',
      { top: `class Conn { n = 1; } var list = [];`, change: `list[0] ??= new Conn()`, show: '1' },
      'list[0] (an instance of Conn)',
    ],
    ['a module', { top: `var alert;`, change: `alert ??= require('alert')`, show: '1' }, 'alert (a module)'],
  ])('and after the start what is missing: %s', async (_what, script, place) => {
    expect(await shown(script, 2)).toEqual(['1', '1']);
    expect(problems).toEqual([`missing from its preserved data, and not made by its top level: ${place}`]);
  });

  test('and what else there is is kept', async () => {
    const top = `class A { toSaved() { throw new Error('no'); } } var a = { n: 0, bad: new A(), p: new Proxy({}, { ownKeys() { throw 1; } }) }, n = 0;`;
    expect(await shown({ top, change: 'a.n++; n++', show: '[a.n, n, a.bad instanceof A, typeof a.p]' })).toEqual([
      '1,1,true,object',
      '2,2,true,object',
      '3,3,true,object',
    ]);
  });
});
