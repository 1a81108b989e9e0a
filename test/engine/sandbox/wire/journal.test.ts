import { expect, test, vi } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { textHeader, type LatinText } from '../../../../engine/message/latin-text.ts';
import { TextPool } from '../../../../engine/message/text-pool.ts';
import { Journal, type PastCall } from '../../../../engine/sandbox/wire/journal.ts';
import type { SavedScript } from '../../../../engine/sandbox/wire/preservation.ts';
import { message } from '../../pipeline/fakes.ts';

const state = (name: string): SavedScript => ({ head: { wide: false, version: null }, text: Buffer.from(name), block: new Uint8Array(0) });

/** Adds calls until a state is to be saved; returns the number of the last one. */
function untilDue(journal: Journal, from: number): number {
  for (let id = from; ; id++) if (journal.add(timer(id), 1, 0)) return id;
}

const timer = (id: number): PastCall => ({ kind: 'timer', id, ns: 0n });

/** A journal that has dropped its history. */
function old(): { journal: Journal; last: number } {
  const journal = new Journal(null);
  let last = 0;
  while (last < 300) {
    last = untilDue(journal, last + 1);
    journal.saved(state(`after ${last}`));
  }
  return { journal, last };
}

const idsOf = (journal: Journal): number[] => journal.calls.map(({ id }) => id);

test('a state stands for all calls that were answered before it came, whatever host it comes from', () => {
  const { journal, last } = old();
  const due = untilDue(journal, last + 1);
  journal.add(timer(due + 1), 1, 0);
  expect(idsOf(journal)).toEqual(Array.from({ length: due + 1 - last }, (_, i) => last + 1 + i));
  journal.saved(state('due'));
  journal.add(timer(due + 2), 1, 0);
  expect([journal.checkpoint?.text.toString(), idsOf(journal)]).toEqual(['due', [due + 2]]);
});

test('no second state is asked for while one is on its way', () => {
  const { journal, last } = old();
  const due = untilDue(journal, last + 1);
  for (let i = 1; i < 1000; i++) expect(journal.add(timer(due + i), 1, 0)).toBe(false);
  expect(journal.rest()).toBe(false);
});

test('a state is asked for when the batches of the calls have many messages', () => {
  const journal = new Journal(null);
  const batch = batchOf(Array.from({ length: 8192 }, () => message('x')));
  let calls = 1;
  while (!journal.add({ kind: 'process', id: calls, batch: batch.with({}), selection: null }, 1, 0)) calls++;
  expect(calls).toBeLessThanOrEqual(8);
});

/** A journal on a clock that stands still until it is moved, with batches of 8,192 messages. */
function withBatches(): {
  readonly add: () => boolean;
  readonly journal: Journal;
  readonly clock: { mockReturnValue(now: number): unknown };
} {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const journal = new Journal(null);
  const batch = batchOf(Array.from({ length: 8192 }, () => message('x')));
  let id = 0;
  return { add: () => journal.add({ kind: 'process', id: ++id, batch: batch.with({}), selection: null }, 1, 0), journal, clock };
}

test('the time for which a state has waited behind other calls puts off none of the next ones', () => {
  const { add, journal, clock } = withBatches();
  const untilNext = (): number => {
    for (let calls = 1; ; calls++) if (add()) return calls;
  };
  untilNext();
  clock.mockReturnValue(10_000);
  journal.saved(state('late, and quickly made'), 1_000);
  clock.mockReturnValue(10_021);
  expect(untilNext()).toBe(8);
  journal.saved(state('dear'), 1_000_000);
  clock.mockReturnValue(30_000);
  expect(add()).toBe(false);
  vi.restoreAllMocks();
});

test('the calls that are kept have no more than a quarter of a million messages, however dear a state is', () => {
  const { add, journal } = withBatches();
  while (!add());
  journal.saved(state('dear'), 60_000_000);
  for (let calls = 1; calls < 32; calls++) expect(add()).toBe(false);
  expect(add()).toBe(true);
  vi.restoreAllMocks();
});

test('the messages of a batch that ticks cut into several calls count once', () => {
  const journal = new Journal(null, { history: { calls: 100, rows: 8_192, cpu: Infinity } });
  const batch = batchOf(Array.from({ length: 8192 }, () => message('x')));
  for (let row = 0; row < 40; row++) {
    journal.add({ kind: 'process', id: 2 * row, batch, selection: Uint32Array.of(row) }, 1, 0);
    journal.add(timer(2 * row + 1), 1, 0);
  }
  expect([journal.isWhole, journal.calls.length]).toEqual([true, 80]);
  journal.add({ kind: 'process', id: 80, batch: batch.with({}), selection: null }, 1, 0);
  expect(journal.isWhole).toBe(false);
});

test('a state is asked for when no call comes any more', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { journal, last } = old();
  expect([journal.hasCalls, journal.rest()]).toEqual([false, false]);
  journal.add(timer(last + 1), 1, 0);
  expect(journal.hasCalls).toBe(true);
  clock.mockReturnValue(1e6);
  expect([journal.rest(), journal.rest()]).toEqual([true, false]);
  journal.saved(null);
  expect([journal.hasCalls, journal.rest()]).toEqual([false, false]);
  vi.restoreAllMocks();
});

test('all calls are kept until they have taken a second of processor time', () => {
  const journal = new Journal(null);
  for (let i = 1; i <= 10; i++) journal.add(timer(i), 1, 100_000);
  expect(idsOf(journal)).toHaveLength(10);
  journal.saved(state('ten'));
  expect(idsOf(journal)).toHaveLength(10);
  journal.add(timer(11), 1, 1);
  expect([journal.checkpoint?.text.toString(), idsOf(journal)]).toEqual(['ten', [11]]);
});

test('the texts of calls are held until a state stands for them', () => {
  const { journal, last } = old();
  const pool = new TextPool();
  const text = pool.text(Buffer.from('abc')) as LatinText;
  const payload = textHeader(null, text, Uint32Array.of(0), Uint32Array.of(3));
  journal.add({ kind: 'process', id: last + 1, batch: batchOf([message('x')]).with({ payload }), selection: null }, 1, 0);
  text.release();
  expect(text.slice(0, 3)).toBe('abc');
  const due = untilDue(journal, last + 2);
  expect(text.slice(0, 3)).toBe('abc');
  journal.saved(state(`after ${due}`));
  expect(() => text.bytes).toThrow('given back');
});
