import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../../engine/sandbox/contract/types.ts';
import { readState } from '../../../../engine/sandbox/wire/preservation.ts';
import { batchOf, message, messagesOf, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const modules = [join(import.meta.dirname, '../../../../plugins/modules'), bench.folder];
let files = 0;

function start(source: string, preservation: string, extension = '.js'): Promise<Sandbox> {
  return bench.start(source, { modules, preservation, extension });
}

/** Runs a first script once, stops it, and returns what a second one with its data injects. */
async function carriedOver(first: string, second = first): Promise<string | undefined> {
  const file = join(bench.folder, `state-${files++}.data`);
  const before = await start(first, file);
  expect((await before.process(batchOf([message()]), null)).terminated).toBeNull();
  await before.stop();
  const after = await start(second, file);
  const [out] = messagesOf(await after.timer(1n));
  await after.stop();
  return out?.payload;
}

/** A script whose `process_message` runs a statement and whose timer injects the value of an expression. */
const script = (setUp: string, change: string, show: string): string =>
  `${setUp}\nfunction process_message() { ${change}; return 0; }\nfunction timer_event() { inject_message({ Payload: String(${show}) }); }`;

describe('global variables are kept', () => {
  const values: readonly (readonly [value: string, show: string, expected: string])[] = [
    ['0.1 + 0.2', 'x', '0.30000000000000004'],
    ['[NaN, Infinity, -Infinity, -0]', 'x.map((n) => Object.is(n, -0) ? "-0" : String(n))', 'NaN,Infinity,-Infinity,-0'],
    ['2n ** 70n', 'x + typeof x', '1180591620717411303424bigint'],
    ['"ä\\ud800\\0€"', 'x === "ä\\ud800\\0€"', 'true'],
    ['true', 'x', 'true'],
    ['null', 'x', 'null'],
    [
      '{ a: [1, , { b: undefined }], ["__proto__"]: 5 }',
      '[x.a.length, 1 in x.a, "b" in x.a[2], Object.keys(x), x.__proto__ === 5]',
      '3,false,true,a,__proto__,true',
    ],
    ['Object.assign(Object.create(null), { a: 1 })', 'String(Object.getPrototypeOf(x)) + x.a', 'null1'],
    ['new Map([["k", { v: 1 }], [5, "five"], [true, 2]])', '[x.get("k").v, x.get(5), x.get(true), [...x.keys()]]', '1,five,2,k,5,true'],
    ['new Set(["b", "a"])', '[x.has("a"), [...x]]', 'true,b,a'],
    ['new Date(86400000)', 'x.toISOString()', '1970-01-02T00:00:00.000Z'],
    ['new Uint8Array([1, 255])', 'x instanceof Uint8Array && [...x]', '1,255'],
    ['new Float64Array([NaN, 1.5]).subarray(1)', '[x.length, x[0], x.byteOffset]', '1,1.5,8'],
    ['new BigInt64Array([-1n])', 'x[0]', '-1'],
    ['(() => { const a = [1]; return { a, b: a }; })()', 'x.a === x.b', 'true'],
    ['(() => { const a = []; a.push(a); return a; })()', 'x[0] === x', 'true'],
    ['(() => { const v = new Uint8Array(4); return [v, new DataView(v.buffer)]; })()', 'x[0].buffer === x[1].buffer', 'true'],
    ['{ f: () => 1, s: Symbol(), c: new (class A {})(), kept: 1, get g() { return 1; } }', 'Object.keys(x)', 'kept'],
    [
      'Array.from({ length: 20000 }).reduce((tail) => ({ tail }), null)',
      '(() => { let n = 0; for (let y = x; y; y = y.tail) n++; return n; })()',
      '20000',
    ],
  ];

  const odd: readonly (readonly [value: string, show: string, expected: string])[] = [
    ['Object.assign([1], { "": 5, "1e3": 6, " 2": 7, "-0": 8, Infinity: 9, name: 10 })', '[x.length, Object.keys(x)]', '1,0'],
    ['Object.assign([], { length: 3 })', '[x.length, 0 in x]', '3,false'],
    ['new Float16Array([1.5])', '[x instanceof Float16Array, x[0]]', 'true,1.5'],
    ['new Date(NaN)', 'x instanceof Date && x.getTime()', 'NaN'],
    ['Object.defineProperty(new Date(5), "getTime", { value: () => 7 })', 'x.getTime()', '5'],
    ['Object.defineProperty(new Map([[1, 2]]), "forEach", { value: () => 0 })', 'x.get(1)', '2'],
    ['(() => { const v = new Uint8Array(4); v.buffer.transfer(); return [v, v.buffer]; })()', '[x[0].length, x[1].byteLength]', '0,0'],
    ['new Uint8Array(new ArrayBuffer(2, { maxByteLength: 9 }))', 'x.length', '2'],
    ['new Proxy({ a: 1 }, {})', 'x.a', '1'],
    ['{ toSaved: () => 5, a: 1 }', 'x.a', '1'],
    ['[new (class A extends Map {})(), new (class B extends Array {})(), new (class C extends Uint8Array {})(4)]', 'Object.keys(x)', ''],
    ['[Object.create(Map.prototype), Object.create(Date.prototype), Object.create(Uint8Array.prototype)]', 'Object.keys(x)', ''],
    ['[Object.create(ArrayBuffer.prototype), Object.create(DataView.prototype), Object.create(Array.prototype)]', 'Object.keys(x)', ''],
    ['[/a/g, new Error("e"), new Number(5), new WeakMap(), Symbol.iterator, 1n]', 'Object.keys(x)', '5'],
    ['Object.defineProperty(globalThis, "fixed", { value: 1, enumerable: true }) && 5', 'x', '5'],
    ['Object.assign(Object.freeze({ a: [1] }))', 'x.a.push(2) + x.a.join("")', '212'],
    ['new Map([[NaN, -0], [-0, NaN], [null, undefined]])', '[x.get(NaN), x.get(0), x.has(null)]', '0,NaN,true'],
    ['new Set([NaN, "1", 1, 1n, true, [2]])', '[x.size, x.has(1n), x.has(NaN), [...x][5]]', '6,true,true,2'],
  ];

  test.each([...values, ...odd])('%s', async (value, show, expected) => {
    expect(await carriedOver(script('var x;', `x = ${value}`, show))).toBe(expected);
  });

  test('and restored values replace initial ones', async () => {
    expect(await carriedOver(script('var count = 100;', 'count++', 'count'))).toBe('101');
    expect(await carriedOver(script('globalThis.count = 100;', 'globalThis.count++', 'globalThis.count'))).toBe('101');
  });

  test('but local ones are not', async () => {
    const source = `let local = 1; export let shown = 1;
      export function process_message() { local++; shown++; globalThis.kept = 1; return 0; }
      export function timer_event() { inject_message({ Payload: [local, shown, globalThis.kept].join() }); }`;
    expect(await carriedOver(source)).toBe('1,1,1');
  });

  test('nor what the new script does not have', async () => {
    expect(await carriedOver(script('var a = 1;', 'a = 2', 'a'), script('var b = 1;', '', 'typeof a + b'))).toBe('number1');
  });

  test('and circular buffers', async () => {
    const setUp = `const { CircularBuffer } = require('circular_buffer'); var graph = new CircularBuffer(3, 1, 60, true);`;
    const show = 'graph.get(60e9, 1) + graph.toPayload().slice(0, 10)';
    expect(await carriedOver(script(setUp, 'graph.add(60e9, 1, 5)', show))).toBe('5{"time":0,');
    const inside = script(
      `${setUp} var all = {};`,
      `all.one = new CircularBuffer(3, 1, 60); all.one.add(60e9, 1, 7)`,
      'all.one.get(60e9, 1)',
    );
    expect(await carriedOver(inside)).toBe('7');
  });
});

describe('a state as large as the script may hold', () => {
  test.each([
    ['lists', `x = []; for (let i = 0; i < 100000; i++) x.push([i]);`, `[x.length, x[99999][0]]`, '100000,99999'],
    ['objects', `x = {}; for (let i = 0; i < 40000; i++) x['k' + i] = { i };`, `[Object.keys(x).length, x.k39999.i]`, '40000,39999'],
    ['a map', `x = new Map(); for (let i = 0; i < 60000; i++) x.set('k' + i, i);`, `[x.size, x.get('k59999')]`, '60000,59999'],
    ['a set', `x = new Set(); for (let i = 0; i < 150000; i++) x.add(i);`, `[x.size, x.has(149999)]`, '150000,true'],
    ['a text', `x = 'x'.repeat(3e6) + 'é';`, `[x.length, x.at(-1)]`, '3000001,é'],
    ['numbers', `x = new Float64Array(900000).fill(0.5);`, `[x.length, x[899999]]`, '900000,0.5'],
    ['a long array with few elements', `x = []; x[3e9] = 1; x[5] = 2;`, `[x.length, x[5], Object.keys(x)]`, '3000000001,2,5,3000000000'],
  ])('is kept: %s', async (_what, change, show, expected) => {
    expect(await carriedOver(script('var x;', change, show))).toBe(expected);
  });
});

describe('the version of the data', () => {
  const versioned = (version: number | null, value: string): string =>
    script(`${version === null ? '' : `var _PRESERVATION_VERSION = ${version};`} var x = 'clean';`, `x = '${value}'`, 'x');
  const cases: readonly (readonly [stored: number | null, own: number | null, restored: boolean])[] = [
    [0, null, true],
    [null, 0, true],
    [0, 0, true],
    [0, 1, false],
    [3, 2, false],
    [3, null, true],
  ];

  test.each(cases)('stored %s, own %s', async (stored, own, restored) => {
    expect(await carriedOver(versioned(stored, 'kept'), versioned(own, 'other'))).toBe(restored ? 'kept' : 'clean');
  });

  test.each([
    ['restore() { throw new Error("boom"); }', 'boom'],
    ['restore() { this.deep = (function f() { return f() + 1; })(); }', 'Maximum call stack'],
    ['restore() { null.x; } get toJSON() { throw 1; }', 'TypeError'],
  ])('an object whose %s fails the start', async (method, reason) => {
    const source = script(`class A { toSaved() { return { v: 1 }; } static fromSaved() {} ${method} } var a = new A();`, '', '1');
    await expect(carriedOver(source)).rejects.toThrow(new RegExp(`^its data cannot be restored: .*${reason}`));
  });

  test('a graph of another shape fails the start', async () => {
    const graph = (rows: number): string =>
      script(`const { CircularBuffer } = require('circular_buffer'); var graph = new CircularBuffer(${rows}, 1, 60);`, '', '1');
    await expect(carriedOver(graph(3), graph(4))).rejects.toThrow(/^its data cannot be restored: /);
  });
});

describe('the file', () => {
  const counter = script('var count = 0;', 'count++', 'count');

  test('is written when the script ends itself, but not after an error', async () => {
    for (const [change, kept] of [
      ['count = 5; return 1', '5'],
      ['count = 5; null.x', '0'],
      ['count = 5; for (;;);', '0'],
    ] as const) {
      const file = join(bench.folder, `state-${files++}.data`);
      const sandbox = await start(script('var count = 0;', change, 'count'), file);
      expect((await sandbox.process(batchOf([message()]), null)).terminated).not.toBeNull();
      await sandbox.stop();
      expect(existsSync(file)).toBe(kept !== '0');
      const next = await start(counter, file);
      expect(messagesOf(await next.timer(1n))[0]?.payload).toBe(kept);
      await next.stop();
    }
  });

  test.each([
    ['empty', ''],
    ['of another kind', 'hello\nworld'],
    ['cut', null],
  ])('that is %s fails the start and is kept', async (_what, content) => {
    const file = join(bench.folder, `state-${files++}.data`);
    const sandbox = await start(counter, file);
    await sandbox.stop();
    const damaged = content ?? readFileSync(file, 'latin1').slice(0, -3);
    writeFileSync(file, damaged, 'latin1');
    await expect(start(counter, file)).rejects.toThrow(/preserved data.*remove it to start without/);
    expect(readFileSync(file, 'latin1')).toBe(damaged);
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
  ])('that is %s fails the start', async (_what, make) => {
    const path = join(bench.folder, `odd-${files++}`);
    make(path);
    await expect(start(counter, path)).rejects.toThrow(
      /cannot read the preserved data '.*': it is a (folder|pipe|device), not a regular file$/,
    );
  });

  test('is refused with any of its bytes changed, and cut at any place', async () => {
    const file = join(bench.folder, `state-${files++}.data`);
    const sandbox = await start(script('var count = 0, bytes = new Uint8Array(9), name = "é€";', 'count++', 'count'), file);
    await sandbox.stop();
    const whole = readFileSync(file);
    const damaged = join(bench.folder, `state-${files++}.data`);
    for (let at = 0; at < whole.length; at++) {
      for (const mask of [1, 0x20, 0x80]) {
        const changed = Buffer.from(whole);
        changed.writeUInt8(changed.readUInt8(at) ^ mask, at);
        writeFileSync(damaged, changed);
        await expect(readState(damaged)).rejects.toThrow(/remove it to start without/);
      }
      writeFileSync(damaged, whole.subarray(0, at));
      await expect(readState(damaged)).rejects.toThrow(/remove it to start without/);
    }
  });

  test('is the old one or the new one when the writer is killed', async () => {
    const file = join(bench.folder, `state-${files++}.data`);
    const code = `import { writeState } from ${JSON.stringify(join(import.meta.dirname, '../../../../engine/sandbox/wire/preservation.ts'))};
      for (let i = 0; ; i++) {
        const block = new Uint8Array(3_000_000 + i).fill(i);
        await writeState(${JSON.stringify(file)}, { head: { wide: false, version: i }, text: Buffer.from('text ' + i), block });
        if (i === 0) process.stdout.write('begun');
      }`;
    let last = -1;
    for (const afterMs of [0, 3, 7, 12, 20, 33]) {
      const writer = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
      await once(writer.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      writer.kill('SIGKILL');
      await once(writer, 'close');
      const state = await readState(file);
      last = state?.head.version ?? -1;
      expect(Buffer.from(state?.text ?? []).toString()).toBe(`text ${last}`);
      expect(state?.block.byteLength).toBe(3_000_000 + last);
    }
    expect(last).toBeGreaterThanOrEqual(0);
    expect(readdirSync(bench.folder).filter((name) => name.endsWith('.tmp')).length).toBeLessThan(2);
    rmSync(`${file}.tmp`, { force: true });
  });

  test('leaves no drafts behind', () => {
    expect(readdirSync(bench.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
