/** The place of a script in a thread: what is done there, and what is left to a sandbox. */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { ThreadPlace, type Done } from '../../../../engine/sandbox/ours/thread-place.ts';
import { ThreadPool } from '../../../../engine/sandbox/ours/thread-pool.ts';
import type { PastCall } from '../../../../engine/sandbox/wire/journal.ts';
import { batchOf, line, messagesOf, SandboxBench, trusted } from '../harness.ts';

const bench = new SandboxBench();
const pools: ThreadPool[] = [];
afterAll(async () => {
  for (const pool of pools) pool.close();
  await bench.close();
});

/** A filter that counts, and ends with 'bad'. */
const COUNTER = `
let seen = 0;
export function process_message() { seen++; return read_message('Payload') === 'bad' ? 1 : 0; }
export function timer_event(ns) { inject_message({ Payload: String(seen), Timestamp: ns }); }`;

async function placeOf(keeps: boolean, script = COUNTER): Promise<ThreadPlace> {
  const path = bench.file(`${randomUUID()}.ts`, script);
  const spec = { ...bench.specOf(path, { kind: keeps ? 'filter' : 'decoder', stateless: !keeps }), ticks: keeps };
  const pool = new ThreadPool(1);
  pools.push(pool);
  const place = await ThreadPlace.start(spec, { pool, code: trusted(path) }, keeps);
  if (place === null) throw new Error('it does not load in a thread');
  return place;
}

const calls = (...all: readonly (string | bigint)[]): PastCall[] =>
  all.map((one, id) =>
    typeof one === 'bigint' ? { kind: 'timer', id, ns: one } : { kind: 'process', id, batch: batchOf([line(one)]), selection: null },
  );

const payloads = (done: readonly Done[]): unknown[] => done.map(({ result }) => messagesOf(result).map(({ payload }) => payload));

describe('a place in a thread', () => {
  it('serves calls and ticks in order, together', async () => {
    const place = await placeOf(true);
    expect(payloads(await place.serve(calls('a', 'b', 1n, 'c', 2n)))).toEqual([[], [], ['2'], [], ['3']]);
    expect(payloads(await place.serve(calls(3n)))).toEqual([['3']]);
  });

  it('returns what was done before the call that a sandbox is to serve, and nothing from then on', async () => {
    const place = await placeOf(true);
    expect(await place.serve(calls('a', 'bad', 'c', 1n))).toHaveLength(1);
    expect(await place.serve(calls('d'))).toEqual([]);
    expect((await place.save()).state).toBeNull();
  });

  it('leaves a text that is too long to a sandbox, with all behind it', async () => {
    const place = await placeOf(false, "export function process_message() { inject_message({ Payload: 'x' }); return 0; }");
    expect(await place.serve(calls('b', 'x'.repeat(3_000_000), 'c'))).toHaveLength(1);
    expect(await place.serve(calls('x'.repeat(3_000_000)))).toEqual([]);
  });

  it('has the state after the calls so far', async () => {
    const place = await placeOf(true, COUNTER.replace('let seen = 0', 'globalThis.seen = 0').replace('seen++', 'globalThis.seen++'));
    const served = place.serve(calls('a', 'b'));
    const { state } = await place.save();
    expect(await served).toHaveLength(2);
    expect(Buffer.from(state?.text ?? []).toString()).toContain('2');
  });

  it.each([
    ['that keeps nothing goes on in another thread', false, 1],
    ['that keeps something goes on nowhere: that went with its thread', true, 0],
  ])('of a script %s when its thread has ended', async (_, keeps, served) => {
    const script = "export function process_message() { inject_message({ Payload: 'x' }); return 0; } export function timer_event() {}";
    const place = await placeOf(keeps, script);
    (await place.thread())?.end();
    expect(await place.thread()).toBeNull();
    expect(await place.serve(calls('a'))).toHaveLength(served);
  });
});
