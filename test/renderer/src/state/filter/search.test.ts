import { describe, expect, it } from 'vitest';
import type { AllRequests } from '../../../../../engine/api/types.ts';
import type { Client } from '../../../../../renderer/src/lib/api.ts';
import { NO_SEARCH } from '../../../../../renderer/src/lib/filter/search.ts';
import { Search } from '../../../../../renderer/src/state/filter/search.svelte.ts';
import { until } from '../../../../until.ts';

it('a step that comes before the way to the first hit is not undone by it', async () => {
  let begin: () => void = () => undefined;
  let cursor = 0;
  const asked: number[] = [];
  const answers: Record<string, (input: never) => unknown> = {
    'view.search': () => new Promise<void>((resolve) => (begin = resolve)),
  };
  const client = { request: async (name: string, input: never) => (await answers[name]?.(input)) ?? {}, on: () => undefined };
  const search = new Search({
    client: client as unknown as Client,
    store: { getItem: () => null, setItem: () => undefined },
    view: () => 1,
    here: () => cursor,
    cursor: () => cursor,
    nearest: async (row) => {
      asked.push(row);
      // Every seventh row is a hit.
      return { row: 7 * Math.floor(row / 7 + 1), wrapped: false };
    },
    goTo: (row) => (cursor = row),
    changed: () => undefined,
    failed: (error) => expect.fail(String(error)),
  });
  search.open();
  begin();
  search.change({ text: 'x' });
  await search.step(true);
  expect(cursor).toBe(7);
  begin();
  await new Promise((done) => setImmediate(done));
  expect([cursor, asked]).toEqual([7, [0]]);
  search.change({ text: 'y' });
  begin();
  await until(() => asked.length === 2, 'the way to the first hit');
});

it('Enter right behind the last letter goes to the first hit of what was typed, not on from one of the text before', async () => {
  const asked: string[] = [];
  let text = '';
  const answers: Record<string, (input: never) => unknown> = {
    'view.search': ({ search: { text: wanted } }: AllRequests['view.search']['in']) => void (text = wanted ?? ''),
  };
  const client = { request: async (name: string, input: never) => (await answers[name]?.(input)) ?? {}, on: () => undefined };
  let cursor = 10;
  const search = new Search({
    client: client as unknown as Client,
    store: { getItem: () => JSON.stringify({ ...NO_SEARCH, text: 'before' }), setItem: () => undefined },
    view: () => 1,
    here: () => cursor,
    cursor: () => cursor,
    nearest: async (row) => {
      asked.push(`${text} ${row}`);
      return { row: row + 3, wrapped: false };
    },
    goTo: (row) => (cursor = row),
    changed: () => undefined,
    failed: (error) => expect.fail(String(error)),
  });
  search.open();
  await new Promise((done) => setImmediate(done));
  search.change({ text: 'now' }, true);
  search.enter();
  await new Promise((done) => setTimeout(done, 120));
  expect([asked, cursor]).toEqual([['now 9'], 12]);
});

describe('Enter in the field of the search', () => {
  it.each([
    { title: 'goes to the next hit, time after time', leaves: false, types: true, enters: [false, false], asks: 2 },
    { title: 'gives the focus to the records, whose first hit is shown', leaves: true, types: true, enters: [true], asks: 0 },
    { title: 'goes on with the text before, and gives the focus to the records', leaves: true, types: false, enters: [true], asks: 1 },
    { title: 'goes to the next hit for one who comes back to the field', leaves: true, types: true, enters: [true, false], asks: 1 },
  ])('$title', async ({ leaves, types, enters, asks }) => {
    let steps = 0;
    // The way to the first hit is not of interest here.
    const client = { request: () => new Promise(() => undefined), on: () => undefined };
    const search = new Search({
      client: client as unknown as Client,
      store: { getItem: () => JSON.stringify({ ...NO_SEARCH, text: 'before' }), setItem: () => undefined },
      view: () => 1,
      here: () => 0,
      cursor: () => 0,
      nearest: async () => {
        steps++;
        return { row: 7, wrapped: false };
      },
      goTo: () => undefined,
      changed: () => undefined,
      failed: (error) => expect.fail(String(error)),
    });
    search.open(leaves);
    if (types) search.change({ text: 'x' });
    expect(enters.map(() => search.enter())).toEqual(enters);
    await new Promise((done) => setImmediate(done));
    expect(steps).toBe(asks);
  });
});
