import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FieldFacts } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import type { Logs } from '../../../../renderer/src/state/logs.svelte.ts';
import { OverviewPage } from '../../../../renderer/src/state/overview.svelte.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An engine whose view has so many records, of which each answer counts half. */
class Engine {
  total = 4;
  counted = 0;
  asked: string[] = [];
  others = 1;
  settled = true;
  fields: Partial<FieldFacts>[] = [];
  readonly page: OverviewPage;

  constructor() {
    const client = { request: (name: string, input: object) => Promise.resolve(this.#answer(name, input)) } as unknown as Client;
    const logs = { view: 1, facts: { texts: true } };
    Object.defineProperty(logs, 'others', { get: () => this.others });
    Object.defineProperty(logs, 'scan', { get: () => ({ settled: this.settled, found: this.total }) });
    this.page = new OverviewPage(client, logs as unknown as Logs);
  }

  #answer(name: string, { again = false, variable }: { again?: boolean; variable?: string }): unknown {
    this.asked.push(name === 'view.patterns' ? `patterns ${variable ?? 'of texts'}` : again ? 'again' : 'more');
    if (name === 'view.patterns') return { patterns: [], complete: true };
    this.counted = again ? this.total / 2 : this.total;
    return { fields: this.fields, records: this.counted, total: this.total, complete: this.counted === this.total };
  }
}

const all = (): Promise<unknown> => vi.advanceTimersByTimeAsync(60_000);

test('counts until all is counted, and what came since after a pause', async () => {
  const engine = new Engine();
  engine.page.follow();
  await all();
  expect(engine.asked.toSorted()).toEqual(['again', 'more', 'patterns of texts']);
  engine.asked = [];
  engine.page.follow();
  await all();
  expect(engine.asked).toEqual([]);
  engine.total = 6;
  engine.page.follow();
  await Promise.resolve();
  await all();
  expect(engine.asked[0]).toBe('again');
  expect(engine.page.value?.total).toBe(6);
});

test('counts the records of another filter at once, when it has gone over all of them', async () => {
  const engine = new Engine();
  engine.page.follow();
  await all();
  engine.asked = [];
  [engine.others, engine.settled] = [2, false];
  engine.page.follow();
  expect(engine.asked).toEqual([]);
  expect(engine.page.isPast).toBe(true);
  engine.settled = true;
  engine.page.follow();
  expect(engine.asked).toEqual(['again']);
  await all();
  expect(engine.page.isPast).toBe(false);
});

test('goes on when someone looks again before all was counted', async () => {
  const engine = new Engine();
  engine.page.follow();
  engine.page.stop();
  await all();
  engine.asked = [];
  engine.page.follow();
  await all();
  expect(engine.asked[0]).toBe('again');
  expect(engine.page.value?.complete).toBe(true);
});

test('knows the fields of which each record has a value of its own while the counted records are shown', async () => {
  const engine = new Engine();
  engine.fields = [{ name: 'id', isHeader: false, records: 4, distinct: 4, isDistinctExact: true }];
  expect(engine.page.single).toEqual([]);
  engine.page.follow();
  await all();
  expect(engine.page.single).toEqual(['Fields[id]']);
  engine.others = 2;
  expect(engine.page.single).toEqual([]);
  [engine.others, engine.total] = [1, 5];
  expect(engine.page.single).toEqual([]);
});
