import { afterAll, expect, test } from 'vitest';
import { line, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const evaluate = (...expressions: readonly string[]): Promise<unknown[]> =>
  bench.evaluate('filter', line('x'), expressions, { limits: { instructions: 1e9 } });

test('scripts can change no method of lists, and add none', async () => {
  const changed = await evaluate(
    `Reflect.ownKeys(Array.prototype).filter((key) => key !== 'constructor' && Reflect.set(Array.prototype, key, 1)).map(String)`,
    `Reflect.ownKeys(Array.prototype).filter((key) => Reflect.deleteProperty(Array.prototype, key)).map(String)`,
    `[0, '5', 'mine', Symbol.species].filter((key) => Reflect.defineProperty(Array.prototype, key, { set() {} })).map(String)`,
    `Reflect.setPrototypeOf(Array.prototype, { 0: 1 })`,
    `Reflect.set(Array, 'from', 1)`,
  );
  expect(changed).toEqual([[], [], [], false, false]);
});

test('a list grows by its index as quickly as by push', async () => {
  const [ratio] = await evaluate(`(() => {
    const append = {
      index() { const list = []; for (let i = 0; i < 200; i++) list[i] = i; return list; },
      push() { const list = []; for (let i = 0; i < 200; i++) list.push(i); return list; },
    };
    const least = { index: Infinity, push: Infinity };
    for (let round = 0; round < 12; round++) for (const way of ['index', 'push']) {
      const began = Date.now();
      for (let i = 0; i < 1000; i++) append[way]();
      if (round > 3) least[way] = Math.min(least[way], Date.now() - began);
    }
    return least.index / (least.push + 1);
  })()`);
  expect(ratio).toBeLessThan(4);
});
