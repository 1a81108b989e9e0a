import { describe, expect, test } from 'vitest';
import { NotDeliveredError } from '../../../../engine/outputs/delivery.ts';
import type { Piece, Writer } from '../../../../engine/outputs/writers.ts';
import { WritingSandbox } from '../../../../engine/pipeline/scripts/writing-sandbox.ts';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { NO_RESULT, type SandboxResult } from '../../../../engine/sandbox/contract/types.ts';
import { FakeSandbox, message, payloads } from '../fakes.ts';

/** Writes what it processes, at most so many messages a call. */
class Writing extends FakeSandbox {
  readonly #most: number;
  constructor(most = Infinity) {
    super('to', {});
    this.#most = most;
  }
  override async process(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    const rows = selection ?? Uint32Array.from({ length: batch.length }, (_, row) => row);
    const own = rows.subarray(0, this.#most);
    const written = Array.from(own, (row) => Buffer.from(payloads(batch)[row] ?? ''));
    this.calls.push(...written.map(String));
    return { ...NO_RESULT, written, ...(own.length < rows.length ? { done: own.length } : {}) };
  }
  override async timer(ns: bigint): Promise<SandboxResult> {
    return { ...NO_RESULT, written: [Buffer.from(`tick ${ns}`)] };
  }
}

/** A target that takes each write when it is let. */
class Gate implements Writer {
  readonly overlaps: boolean;
  readonly begun: string[][] = [];
  readonly waiting: PromiseWithResolvers<void>[] = [];
  closed = false;
  constructor(overlaps = false) {
    this.overlaps = overlaps;
  }
  write(pieces: readonly Piece[]): Promise<void> {
    this.begun.push(pieces.map((piece) => Buffer.from(piece as Uint8Array).toString()));
    const waiting = Promise.withResolvers<void>();
    this.waiting.push(waiting);
    return waiting.promise;
  }
  async close(): Promise<void> {
    this.closed = true;
  }
}

const batch = (...names: string[]): MessageBatch => batchOf(names.map((name) => message(name)));
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const errors: string[] = [];
const make = (inner: FakeSandbox, writer: Writer): WritingSandbox => new WritingSandbox(inner, writer, (text) => errors.push(text));

describe('the sandbox of an output with a target', () => {
  test('is done with a call when it is written, and runs one call ahead', async () => {
    const [inner, gate] = [new Writing(), new Gate()];
    const sandbox = make(inner, gate);
    const done: string[] = [];
    const calls = ['a', 'b', 'c', 'd'].map((name) => sandbox.process(batch(name), null).then(() => done.push(name)));
    await settled();
    expect([inner.calls, gate.begun, done]).toEqual([['a', 'b'], [['a']], []]);
    for (let i = 0; i < 4; i++) {
      gate.waiting[i]?.resolve();
      await settled();
    }
    await Promise.all(calls);
    expect([inner.calls, gate.begun, done]).toEqual([
      ['a', 'b', 'c', 'd'],
      [['a'], ['b'], ['c'], ['d']],
      ['a', 'b', 'c', 'd'],
    ]);
    expect(sandbox.figures).toEqual({ WrittenCount: 4, WrittenBytes: 4, LostCount: 0 });
  });

  test('asks for the rest of a call that had much to write', async () => {
    const [inner, gate] = [new Writing(2), new Gate()];
    const call = make(inner, gate).process(batch('a', 'b', 'c', 'd', 'e'), Uint32Array.of(0, 1, 3, 4));
    await settled();
    expect([inner.calls, gate.begun]).toEqual([['a', 'b', 'd', 'e'], [['a', 'b']]]);
    gate.waiting[0]?.resolve();
    await settled();
    gate.waiting[1]?.resolve();
    await call;
    expect(gate.begun).toEqual([
      ['a', 'b'],
      ['d', 'e'],
    ]);
  });

  test('lets writes overlap where the target takes several', async () => {
    const [inner, gate] = [new Writing(), new Gate(true)];
    const sandbox = make(inner, gate);
    const calls = ['a', 'b', 'c'].map((name) => sandbox.process(batch(name), null));
    await settled();
    expect(gate.begun).toEqual([['a'], ['b'], ['c']]);
    gate.waiting.forEach(({ resolve }) => resolve());
    await Promise.all(calls);
  });

  test('says what is lost, and goes on', async () => {
    const [inner, gate] = [new Writing(), new Gate()];
    const sandbox = make(inner, gate);
    const calls = Promise.all([sandbox.process(batch('a', 'b'), null), sandbox.process(batch('c'), null)]);
    errors.length = 0;
    await settled();
    gate.waiting[0]?.reject(new Error('no space'));
    await settled();
    gate.waiting[1]?.resolve();
    await calls;
    expect(errors).toEqual(['2 records could not be written and are lost: no space']);
    expect(sandbox.figures).toMatchObject({ WrittenCount: 1, LostCount: 2 });
  });

  test('rejects with what was not delivered, and gives the script nothing more', async () => {
    const [inner, gate] = [new Writing(), new Gate()];
    const sandbox = make(inner, gate);
    const calls = ['a', 'b', 'c'].map((name) => sandbox.process(batch(name), null).catch((error: unknown) => error));
    await settled();
    const refusal = new NotDeliveredError('given up', false);
    gate.waiting[0]?.reject(refusal);
    expect(await Promise.all(calls)).toEqual([refusal, refusal, refusal]);
    expect([inner.calls, gate.begun]).toEqual([['a', 'b'], [['a']]]);
    errors.length = 0;
    await expect(sandbox.timer(1n)).rejects.toBe(refusal);
    expect(errors).toEqual(['its timer_event is left out: given up']);
  });

  test('counts what a tick wrote and nobody took', async () => {
    const [inner, gate] = [new Writing(), new Gate()];
    const sandbox = make(inner, gate);
    errors.length = 0;
    const tick = sandbox.timer(1n).catch((error: unknown) => error);
    await settled();
    const refusal = new NotDeliveredError('given up', false);
    gate.waiting[0]?.reject(refusal);
    expect(await tick).toBe(refusal);
    expect(errors).toEqual(['1 records of its timer_event are lost: given up']);
    expect(sandbox.figures).toMatchObject({ WrittenCount: 0, LostCount: 1 });
  });

  test('writes what a last tick brings before it closes the target', async () => {
    const [inner, gate] = [new Writing(), new Gate()];
    const sandbox = make(inner, gate);
    const tick = sandbox.timer(7n);
    const stopped = sandbox.stop();
    await settled();
    expect([gate.begun, gate.closed]).toEqual([[['tick 7']], false]);
    gate.waiting[0]?.resolve();
    await Promise.all([tick, stopped]);
    expect([gate.closed, inner.state]).toEqual([true, 'stopped']);
  });
});
