/** Scripts of one thread: who shares them, and how many calls are sent to it ahead. */
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { ThreadPlace } from '../../../../engine/sandbox/ours/thread-place.ts';
import { ThreadPool } from '../../../../engine/sandbox/ours/thread-pool.ts';
import type { PastCall } from '../../../../engine/sandbox/wire/journal.ts';
import { batchOf, line, messagesOf, SandboxBench, trusted } from '../harness.ts';

const { postMessage } = Worker.prototype;
const bench = new SandboxBench();
const pools: ThreadPool[] = [];
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  for (const pool of pools) pool.close();
  await bench.close();
});

/** Tells how many records its context has seen: a decoder that keeps nothing would not. */
const SEEN = `
let seen = 0;
export function process_message() {
  if (read_message('Payload') === 'bad') return 1;
  inject_message({ Payload: String(++seen) });
  return 0;
}`;

interface Wanted {
  readonly name?: string;
  readonly config?: Readonly<Record<string, number>>;
  readonly keeps?: boolean;
}

async function placesOf(all: readonly Wanted[]): Promise<ThreadPlace[]> {
  const path = bench.file(`${randomUUID()}.ts`, SEEN);
  const pool = new ThreadPool(1);
  pools.push(pool);
  const places = await Promise.all(
    all.map(({ name = 'one', config = {}, keeps = false }) => {
      const spec = { ...bench.specOf(path, { kind: 'decoder', stateless: !keeps, config }), name };
      return ThreadPlace.start(spec, { pool, code: trusted(path) }, keeps);
    }),
  );
  return places.filter((place) => place !== null);
}

const call = (payload: string): PastCall => ({ kind: 'process', id: 0, batch: batchOf([line(payload)]), selection: null });

/** The number that a call gives; undefined: it is left to a sandbox. */
async function seen(place: ThreadPlace, payload = 'a'): Promise<unknown> {
  const [done] = await place.serve([call(payload)]);
  return done && messagesOf(done.result)[0]?.payload;
}

describe('scripts of a thread', () => {
  it.each<[string, readonly Wanted[], readonly string[]]>([
    ['that keep nothing are one for all sources, whatever those are called', [{ name: 'one' }, { name: 'other' }, {}], ['1', '2', '3']],
    ['with other parameters are others', [{ config: { a: 1 } }, { config: { a: 2 } }], ['1', '1']],
    ['that keep something are for one alone', [{ keeps: true }, { keeps: true }], ['1', '1']],
  ])('%s', async (_, all, counts) => {
    const places = await placesOf(all);
    for (const [i, place] of places.entries()) expect(await seen(place)).toBe(counts[i]);
    expect((await places[0]?.thread())?.scripts).toBe(all.length);
  });

  it('are left when the last one who shares them leaves, and begin anew for the others when a call of one has failed', async () => {
    const [one, other, third] = (await placesOf([{}, {}, {}])) as [ThreadPlace, ThreadPlace, ThreadPlace];
    expect([await seen(one), await seen(other), await seen(one, 'bad')]).toEqual(['1', '2', undefined]);
    one.drop();
    expect(await seen(other)).toBe('1');
    other.drop();
    expect(await seen(third)).toBe('2');
    const thread = await third.thread();
    third.drop();
    await vi.waitFor(() => expect(thread?.scripts).toBe(0));
  });

  it('get their calls a few at a time, however many wait', async () => {
    const [place] = (await placesOf([{}])) as [ThreadPlace];
    let [sent, most, answered] = [0, 0, 0];
    const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...args) {
      most = Math.max(most, ++sent - answered);
      return postMessage.apply(this, args);
    });
    const all = Array.from({ length: 50 }, async () => {
      const number = await seen(place);
      answered++;
      return number;
    });
    expect(await Promise.all(all)).toEqual(Array.from({ length: 50 }, (_, i) => String(i + 1)));
    expect(post).toHaveBeenCalledTimes(50);
    expect(most).toBeLessThan(8);
  });
});
