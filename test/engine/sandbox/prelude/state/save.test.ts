import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { batchOf, message, messagesOf, SandboxBench } from '../../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

/**
 * A script that makes random graphs of all values that can be saved, from a seed, and describes them: each object by its number in the order of
 * discovery, each value with its type. Two descriptions are equal only when the graphs are.
 */
const source = `
  const { CircularBuffer } = require('circular_buffer');
  const { HyperLogLog } = require('hyperloglog');
  const { QuantileSketch } = require('quantile_sketch');
  const { HeavyHitters } = require('heavy_hitters');
  const { CountMinSketch } = require('count_min');
  var graphs;

  function randomGraph(seed) {
    let state = seed * 2654435761 >>> 0;
    const random = (n) => { state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0; return state % n; };
    const texts = ['', 'a', 'é€', '\\ud800', '\\udc00x', '\\0\\n"\\\\', '😀', '__proto__', 'constructor', '0', '-1', 'x'.repeat(300)];
    const numbers = [0, -0, 1, -1, 0.1, 1e308, 5e-324, NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 63), 1 / 3];
    const made = [];
    const scalar = () => {
      switch (random(7)) {
        case 0: return texts[random(texts.length)];
        case 1: return random(2) === 0;
        case 2: return null;
        case 3: return undefined;
        case 4: return BigInt(random(1000) - 500) ** BigInt(random(40));
        default: return random(2) === 0 ? numbers[random(numbers.length)] : random(2 ** 32) / 7;
      }
    };
    const value = () => (made.length > 0 && random(3) === 0 ? made[random(made.length)] : scalar());
    const instances = [
      () => { const b = new CircularBuffer(2 + random(5), 1 + random(3), 60, random(2) === 0); for (let i = 0; i < 5; i++) b.add(random(500) * 1e9, 1, random(100)); return b; },
      () => { const h = new HyperLogLog(); for (let i = random(50); i > 0; i--) h.add('x' + random(1000)); return h; },
      () => { const s = new QuantileSketch(); for (let i = random(50); i > 0; i--) s.add(random(1000) - 100); return s; },
      () => { const h = new HeavyHitters(4); for (let i = random(20); i > 0; i--) h.add('x' + random(9)); return h; },
      () => { const c = new CountMinSketch(); for (let i = random(20); i > 0; i--) c.add('x' + random(9)); return c; },
    ];
    const views = [Uint8Array, Int16Array, Float16Array, Float32Array, Float64Array, BigInt64Array, Uint8ClampedArray];
    const make = () => {
      switch (random(12)) {
        case 0: return [];
        case 1: { const a = []; a.length = random(6); return a; }
        case 2: return new Map();
        case 3: return new Set();
        case 4: return new Date(random(3) === 0 ? NaN : random(2 ** 32) * 1000);
        case 5: return Object.create(null);
        case 6: return instances[random(instances.length)]();
        case 7: { const type = views[random(views.length)]; const v = new type(random(5)); for (let i = 0; i < v.length; i++) v[i] = type === BigInt64Array ? BigInt(random(9)) : random(300); return v; }
        case 8: { const b = new ArrayBuffer(16); return random(2) === 0 ? new DataView(b, random(8), random(8)) : new Float64Array(b).subarray(random(2)); }
        case 9: { const earlier = made.filter((o) => ArrayBuffer.isView(o) && o.byteLength > 0); return earlier.length === 0 ? {} : new Uint8Array(earlier[random(earlier.length)].buffer); }
        default: return {};
      }
    };
    const fill = (o) => {
      for (let i = random(6); i > 0; i--) {
        if (Array.isArray(o)) o[random(8)] = value();
        else if (o instanceof Map) { const key = scalar(); o.set(key, value()); }
        else if (o instanceof Set) o.add(value());
        else if (Object.getPrototypeOf(o) === null || Object.getPrototypeOf(o) === Object.prototype) Object.defineProperty(o, texts[random(texts.length)], { value: value(), writable: true, enumerable: true, configurable: true });
      }
    };
    for (let i = 0; i < 40; i++) made.push(make());
    for (const o of made) fill(o);
    return made;
  }

  function describe(root) {
    const numbers = new Map();
    const queue = [];
    const show = (v) => {
      if (typeof v === 'bigint') return v + 'n';
      if (typeof v === 'number') return Object.is(v, -0) ? '-0' : String(v);
      if (typeof v === 'string') return JSON.stringify(v);
      if (typeof v !== 'object' || v === null) return String(v);
      if (!numbers.has(v)) { numbers.set(v, queue.length); queue.push(v); }
      return '#' + numbers.get(v);
    };
    const lines = [show(root)];
    for (let i = 0; i < queue.length; i++) {
      const o = queue[i];
      const name = Object.getPrototypeOf(o)?.constructor.name;
      if (Array.isArray(o)) lines.push('[' + o.length + ':' + Object.keys(o).map((k) => k + '=' + show(o[k])).join() + ']');
      else if (o instanceof Map) lines.push('Map' + [...o].map(([k, v]) => show(k) + '>' + show(v)).join());
      else if (o instanceof Set) lines.push('Set' + [...o].map(show).join());
      else if (o instanceof Date) lines.push('Date' + o.getTime());
      else if (o instanceof ArrayBuffer) lines.push('Buffer' + new Uint8Array(o).join());
      else if (ArrayBuffer.isView(o)) lines.push(name + [show(o.buffer), o.byteOffset, o.byteLength].join());
      else if (typeof o.toSaved === 'function') lines.push(name + JSON.stringify(describe(o.toSaved())));
      else lines.push(name + '{' + Object.keys(o).map((k) => JSON.stringify(k) + ':' + show(Object.getOwnPropertyDescriptor(o, k).value)).join() + '}');
    }
    return lines;
  }

  function process_message() { graphs = randomGraph(read_config('seed')); return 0; }
  function timer_event() { inject_message({ Payload: describe(graphs).join('\\n') }); }`;

const SEEDS = 10;

test('random graphs of all that is kept come back as they were', async () => {
  const modules = [join(import.meta.dirname, '../../../../../plugins/modules')];
  let size = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const preservation = join(bench.folder, `graph-${seed}.data`);
    const options = { modules, preservation, config: { seed }, limits: { output: 0, instructions: 0 } };
    const before = await bench.start(source, options);
    expect((await before.process(batchOf([message()]), null)).terminated).toBeNull();
    const [saved] = messagesOf(await before.timer(1n));
    await before.stop();
    const after = await bench.start(source, options);
    const [restored] = messagesOf(await after.timer(1n));
    await after.stop();
    expect(restored?.payload).toBe(saved?.payload);
    size += restored?.payload?.length ?? 0;
  }
  expect(size).toBeGreaterThan(SEEDS * 1000);
});

/**
 * A script whose top level makes a random graph with functions, modules and objects of a class in it, from a seed, and whose messages change the data
 * of the graph at random. It names each function, so that one in a wrong place shows.
 */
const mixed = `
  class Counter { n = 0; list = []; add(v) { this.n++; this.list.push(v); } }
  let seed = read_config('seed') * 2654435761 >>> 0;
  const random = (n) => { seed ^= seed << 13; seed >>>= 0; seed ^= seed >>> 17; seed ^= seed << 5; seed >>>= 0; return seed % n; };
  const scalar = () => [random(100), 'x' + random(100), null, true, undefined, random(9) / 4][random(6)];
  let functions = 0;
  const named = () => { const name = 'f' + functions++; return { [name]() { return name; } }[name]; };
  var all = [];
  const fixed = new Set();
  const value = () => {
    switch (random(5)) {
      case 0: return all[random(all.length)] ?? 1;
      case 1: return named();
      default: return scalar();
    }
  };
  for (let i = 0; i < 25; i++) {
    const o = [() => ({}), () => [], () => new Map(), () => new Counter(), () => Object.create(null), () => ({ deep: { er: [{}] } })][random(6)]();
    all.push(o);
  }
  all.push(require('alert'), Object.freeze({ f: named(), limit: 5, in: { n: 0 } }));
  for (const o of all) {
    if (!Object.isExtensible(o)) continue;
    for (let i = random(5); i > 0; i--) {
      if (Array.isArray(o)) o.push(value());
      else if (o instanceof Map) o.set('k' + i, value());
      else o['k' + i] = value();
    }
  }
  all[26].in.n = 0;
  const keepable = (v) => typeof v !== 'function';
  function process_message() {
    seed = (read_config('seed') + Number(read_message('Pid')) * 7919) * 2654435761 >>> 0;
    for (const o of [...all]) {
      if (o instanceof Counter) o.add(random(10));
      if (!Object.isExtensible(o)) { if (o.in) o.in.n++; continue; }
      for (const key of o instanceof Map ? [...o.keys()] : Object.keys(o)) {
        const old = o instanceof Map ? o.get(key) : o[key];
        if (!keepable(old) || old instanceof Counter || key === 'list' || random(2) === 0) continue;
        const next = scalar();
        if (o instanceof Map) o.set(key, next); else if (random(6) === 0 && !Array.isArray(o)) delete o[key]; else o[key] = next;
      }
      if (random(3) > 0) continue;
      if (Array.isArray(o)) o.push({ made: random(5) });
      else if (o instanceof Map) o.set('new' + random(5), [random(5)]);
      else o['new' + random(5)] = { made: random(5) };
    }
    return 0;
  }
  function describe() {
    const numbers = new Map();
    const queue = [];
    const show = (v) => {
      if (typeof v === 'function') return v.name;
      if (typeof v !== 'object' || v === null) return typeof v + String(v);
      if (!numbers.has(v)) { numbers.set(v, queue.length); queue.push(v); }
      return '#' + numbers.get(v);
    };
    const lines = [show(all)];
    for (let i = 0; i < queue.length; i++) {
      const o = queue[i];
      const entries = o instanceof Map ? [...o] : Object.keys(o).map((k) => [k, o[k]]);
      lines.push((Object.getPrototypeOf(o)?.constructor.name ?? 'bare') + Object.isFrozen(o) + entries.map(([k, v]) => k + '=' + show(v)).join());
    }
    return lines.join('\\n');
  }
  function timer_event() { inject_message({ Payload: describe() }); }`;

test('random graphs with functions, modules and objects of classes go on where they were', async () => {
  const modules = [join(import.meta.dirname, '../../../../../plugins/modules')];
  for (let seed = 1; seed <= 25; seed++) {
    const preservation = join(bench.folder, `mixed-${seed}.data`);
    const options = { modules, preservation, config: { seed } };
    for (let run = 0; run < 3; run++) {
      const before = await bench.start(mixed, options);
      expect((await before.process(batchOf([message({ pid: run })]), null)).terminated).toBeNull();
      const [saved] = messagesOf(await before.timer(1n));
      await before.stop();
      const after = await bench.start(mixed, options);
      const [restored] = messagesOf(await after.timer(1n));
      await after.stop();
      expect(restored?.payload, `seed ${seed}, run ${run}`).toBe(saved?.payload);
    }
  }
});
