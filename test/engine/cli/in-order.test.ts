import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { mapInOrder } from '../../../engine/cli/in-order.ts';

async function* source<T>(items: readonly T[], onEnd: () => void = () => undefined): AsyncGenerator<T> {
  try {
    for (const item of items) {
      await delay(0);
      yield item;
    }
  } finally {
    onEnd();
  }
}

/** Of what is not ended. */
const going = new AbortController().signal;

describe('mapInOrder', () => {
  it('keeps the order and never does more at a time than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (waits, limit) => {
        let underWay = 0;
        let most = 0;
        const results: number[] = [];
        const work = async (i: number): Promise<number> => {
          most = Math.max(most, ++underWay);
          await delay(waits[i]);
          underWay--;
          return i;
        };
        for await (const result of mapInOrder(source(waits.map((_, i) => i)), work, limit, going)) results.push(result);
        expect(results).toEqual(waits.map((_, i) => i));
        expect(most).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 30 },
    );
  });

  it('yields a result while the next item has yet to come', async () => {
    const never = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<number> {
      yield 1;
      await never.promise;
    }
    for await (const result of mapInOrder(slow(), (item) => Promise.resolve(item), 4, going)) {
      expect(result).toBe(1);
      never.resolve();
    }
  });

  it('ends at once, whatever is under way', async () => {
    const stop = new AbortController();
    let ended = 0;
    const results: number[] = [];
    const never = (item: number): Promise<number> => {
      if (item < 2) return Promise.resolve(item);
      setImmediate(() => stop.abort());
      return new Promise(() => undefined);
    };
    for await (const result of mapInOrder(
      source([1, 2, 3], () => ended++),
      never,
      2,
      stop.signal,
    ))
      results.push(result);
    expect(results).toEqual([1]);
    expect(ended).toBe(1);
  });

  it('gives what came before a failure of the source', async () => {
    async function* failing(): AsyncGenerator<number> {
      yield await Promise.resolve(1);
      yield 2;
      throw new Error('cut');
    }
    const results: number[] = [];
    const run = async (): Promise<void> => {
      for await (const result of mapInOrder(failing(), (item) => new Promise<number>((resolve) => setImmediate(resolve, item)), 4, going))
        results.push(result);
    };
    await expect(run()).rejects.toThrow('cut');
    expect(results).toEqual([1, 2]);
  });

  it('hands on failures of the work and of the source, and ends the source when it is left', async () => {
    let ended = 0;
    const run = async (work: (item: number) => Promise<number>): Promise<number[]> => {
      const results: number[] = [];
      for await (const result of mapInOrder(
        source([1, 2, 3], () => ended++),
        work,
        2,
        going,
      )) {
        results.push(result);
        if (result === 20) break;
      }
      return results;
    };
    await expect(run((item) => (item === 2 ? Promise.reject(new Error('two')) : Promise.resolve(item)))).rejects.toThrow('two');
    expect(await run((item) => Promise.resolve(item * 10))).toEqual([10, 20]);
    expect(ended).toBe(2);
  });
});
