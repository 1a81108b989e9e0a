import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Operation, OperationOrder, OperationParts, Operations, RecordQuery } from '../../../engine/api/types.ts';
import { OPERATION_ORDERS } from '../../../engine/api/operation-types.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import { MOST_PARTS } from '../../../engine/store/operation-parts.ts';
import { OperationCount } from '../../../engine/store/operations.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import { smallest } from '../../../engine/store/smallest.ts';
import type { RecordView } from '../../../engine/store/view.ts';
import { viewOfMessages } from './fixtures.ts';

const stores: RecordStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

/** A record of an operation; null: it is of none. */
interface Step {
  readonly at: number;
  readonly id: string | number | readonly string[] | null;
  readonly severity?: number;
}

function fieldOf(id: Step['id']): Field[] {
  if (id === null) return [];
  if (typeof id === 'number') return [{ name: 'id', valueType: 3, values: [id] }];
  return [{ name: 'id', valueType: 0, values: typeof id === 'string' ? [id] : id }];
}

async function viewOf(batches: readonly (readonly Step[])[], query: RecordQuery = {}): Promise<{ store: RecordStore; view: RecordView }> {
  const made = batches.map((steps) =>
    steps.map(({ at, id, severity }): Message => ({
      uuid: new Uint8Array(16),
      timestamp: BigInt(at) * 1_000_000n,
      ...(severity === undefined ? {} : { severity }),
      fields: fieldOf(id),
    })),
  );
  const filled = await viewOfMessages(made, query);
  stores.push(filled.store);
  return filled;
}

const ALL = { order: 'start', down: false, text: '', limit: 1000 } as const;

async function gather(count: OperationCount, wish: Parameters<OperationCount['list']>[0] = ALL): Promise<Operations> {
  while (!count.complete) await count.advance(5);
  return count.list(wish);
}

const brief = ({ operations }: Operations): unknown[] =>
  operations.map(({ value, count, errors, first, last }) => [value, count, errors, first, last]);

describe('operations', () => {
  it('go from their first record to their last, in whatever order these come', async () => {
    const { store, view } = await viewOf([
      [
        { at: 500, id: 'b', severity: 3 },
        { at: 100, id: 'a', severity: 6 },
        { at: 300, id: null },
      ],
      [
        { at: 50, id: 'b', severity: 6 },
        { at: 900, id: 'a', severity: 2 },
        { at: 700, id: 'c' },
      ],
    ]);
    const found = await gather(new OperationCount(store, view, 'Fields[id]'));
    expect(brief(found)).toEqual([
      ['b', 2, 1, 50, 500],
      ['a', 2, 1, 100, 900],
      ['c', 1, 0, 700, 700],
    ]);
    expect(found).toMatchObject({
      matching: 3,
      distinct: 3,
      others: 0,
      missing: 1,
      from: 50,
      to: 900,
      records: 6,
      total: 6,
      complete: true,
    });
  });

  it('are none in an empty log, one in one record, and none where no record has the field', async () => {
    const none = await viewOf([]);
    expect(await gather(new OperationCount(none.store, none.view, 'Fields[id]'))).toMatchObject({
      operations: [],
      from: 0,
      to: 0,
      total: 0,
      complete: true,
    });
    const one = await viewOf([[{ at: 7, id: 'x' }]]);
    expect(brief(await gather(new OperationCount(one.store, one.view, 'Fields[id]')))).toEqual([['x', 1, 0, 7, 7]]);
    expect(await gather(new OperationCount(one.store, one.view, 'Pid'))).toMatchObject({ operations: [], missing: 1, from: 0, to: 0 });
  });

  it('are known by the first value of several, numbers and texts alike, and by the beginning of a very long one', async () => {
    const long = 'x'.repeat(5000);
    const { store, view } = await viewOf([
      [
        { at: 1, id: ['one', 'two'] },
        { at: 2, id: [] },
        { at: 3, id: 42 },
        { at: 4, id: '' },
        { at: 5, id: `${long}a` },
        { at: 6, id: '42' },
        { at: 7, id: `${long}b` },
        { at: 9, id: '__proto__' },
      ],
    ]);
    const found = await gather(new OperationCount(store, view, 'Fields[id]'));
    expect(found.operations.map(({ value, cut, count }) => [value.slice(0, 10), value.length, cut, count])).toEqual([
      ['one', 3, false, 1],
      ['42', 2, false, 2],
      ['', 0, false, 1],
      ['xxxxxxxxxx', 1000, true, 2],
      ['__proto__', 9, false, 1],
    ]);
    expect(found.missing).toBe(1);
  });

  it('are as many as fit, and say how many records the others have', async () => {
    const { store, view } = await viewOf([Array.from({ length: 30 }, (_, i) => ({ at: i, id: `op${i % 10}` }))]);
    const few = await gather(new OperationCount(store, view, 'Fields[id]', { operations: 4, characters: 1000 }));
    expect([few.distinct, few.others, few.operations.every(({ count }) => count === 3)]).toEqual([4, 18, true]);
    const short = await gather(new OperationCount(store, view, 'Fields[id]', { operations: 100, characters: 9 }));
    expect([short.distinct, short.others]).toEqual([3, 21]);
  });

  it('are those of the records that the filter shows, and those whose value has a text', async () => {
    const { store, view } = await viewOf([Array.from({ length: 40 }, (_, i) => ({ at: i, id: i % 2 === 0 ? `Even-${i}` : `odd-${i}` }))], {
      from: 10,
      to: 30,
    });
    const count = new OperationCount(store, view, 'Fields[id]');
    expect((await gather(count)).distinct).toBe(20);
    expect(await gather(count, { ...ALL, text: 'eVEN', limit: 3 })).toMatchObject({ matching: 10, distinct: 20, operations: [{}, {}, {}] });
  });

  it('are told as far as they are known while records are counted', async () => {
    const { store, view } = await viewOf(
      Array.from({ length: 5 }, (_, i) => Array.from({ length: 600 }, (_, k) => ({ at: i * 600 + k, id: `op${k}` }))),
    );
    const count = new OperationCount(store, view, 'Fields[id]');
    let seen = 0;
    while (!count.complete) {
      await count.advance(0.05);
      const { records, distinct, operations } = count.list(ALL);
      expect(records).toBeGreaterThanOrEqual(seen);
      expect(operations.reduce((sum, one) => sum + one.count, 0)).toBe(records);
      expect(distinct).toBeLessThanOrEqual(600);
      seen = records;
    }
    expect(seen).toBe(3000);
  });

  it('are what a table of all records says, in each order', async () => {
    const steps = fc.array(
      fc.record({
        at: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: -100_000, max: 1e12 })),
        id: fc.option(fc.constantFrom('a', 'b', 'c', 'dd', 'e'), { nil: null }),
        severity: fc.integer({ min: 0, max: 7 }),
      }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.constantFrom(...OPERATION_ORDERS),
        fc.boolean(),
        fc.integer({ min: 1, max: 6 }),
        async (list, order, down, limit) => {
          const { store, view } = await viewOf([list.slice(0, 20), list.slice(20)]);
          const found = await gather(new OperationCount(store, view, 'Fields[id]'), { order, down, text: '', limit });
          expect(found.operations).toEqual(naive(list, order, down).slice(0, limit));
        },
      ),
      { numRuns: 60 },
    );
  });
});

const NO_PARTS: OperationParts = { from: 0, partMs: 1, counts: [], errors: [] };

/** Parts as long as the least power of two of which at most 32 have all records. */
function naiveParts({ first, last }: Operation, steps: readonly Step[]): OperationParts {
  let partMs = 1;
  while (Math.floor(last / partMs) - Math.floor(first / partMs) >= MOST_PARTS) partMs *= 2;
  const from = Math.floor(first / partMs) * partMs;
  const within = Array.from({ length: Math.floor((last - from) / partMs) + 1 }, (_unused, i) =>
    steps.filter(({ at }) => Math.floor((at - from) / partMs) === i),
  );
  const errors = within.flatMap((part, i) => (part.some(({ severity = 6 }) => severity <= 3) ? [i] : []));
  return { from, partMs, counts: within.map(({ length }) => length), errors };
}

function naive(steps: readonly Step[], order: OperationOrder, down: boolean): Operation[] {
  const found = new Map<string, Operation>();
  for (const { at, id, severity = 6 } of steps) {
    if (typeof id !== 'string') continue;
    const known = found.get(id) ?? { value: id, cut: false, count: 0, errors: 0, first: at, last: at, parts: NO_PARTS };
    found.set(id, {
      ...known,
      count: known.count + 1,
      errors: known.errors + (severity <= 3 ? 1 : 0),
      first: Math.min(known.first, at),
      last: Math.max(known.last, at),
    });
  }
  for (const [id, one] of found)
    found.set(id, {
      ...one,
      parts: naiveParts(
        one,
        steps.filter((step) => step.id === id),
      ),
    });
  const key = (one: Operation): number =>
    ({ start: one.first, duration: one.last - one.first, errors: one.errors, count: one.count })[order] * (down ? -1 : 1);
  return [...found.values()].sort((a, b) => key(a) - key(b) || a.first - b.first);
}

describe('the smallest', () => {
  it('are those that a stable sort puts first', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), { maxLength: 60 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 0, max: 70 }), (values, limit) => {
        const keys = [(at: number) => values[at]?.[0] ?? 0, (at: number) => values[at]?.[1] ?? 0];
        const sorted = [...values.keys()].sort(
          (a, b) => (keys[0]?.(a) ?? 0) - (keys[0]?.(b) ?? 0) || (keys[1]?.(a) ?? 0) - (keys[1]?.(b) ?? 0),
        );
        expect(smallest(Uint32Array.from(values.keys()), keys, limit)).toEqual(sorted.slice(0, limit));
      }),
    );
  });
});
