import { describe, expect, it, test } from 'vitest';
import type { AllEvents, AllRequests, ViewFacts } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { Logs } from '../../../../renderer/src/state/logs.svelte.ts';
import type { Prefs } from '../../../../renderer/src/state/prefs.svelte.ts';
import { until } from '../../../until.ts';

type Change = AllEvents['view.changed'];

const RECORDS = 1000;
const FACTS = { span: null, severities: 'none' as const, sources: [], type: null, texts: true, fractions: false, alike: {} };
const WHOLE: Change = {
  view: 1,
  total: RECORDS,
  nearby: false,
  found: RECORDS,
  scanned: RECORDS,
  records: RECORDS,
  revision: 1,
  fresh: 0,
  facts: FACTS,
  sort: null,
};

const rowOf = (id: number): object => ({ id, time: id, severity: 6, source: 1, values: [], text: `${id}` });

/**
 * The Logs view over an engine whose answers to `view.query` come when the test says so; of each filter it shows the tenth part of the records.
 * @param more other answers
 */
function logsOf(more: Record<string, (input: never) => unknown> = {}): {
  logs: Logs;
  tell: (change: Partial<Change>) => void;
  answer: (revision: number) => void;
  located: number[];
} {
  const listeners: ((change: Change) => void)[] = [];
  const waiting: ((reply: { revision: number }) => void)[] = [];
  const located: number[] = [];
  const answers: Record<string, (input: never) => unknown> = {
    'view.open': () => ({ view: 1 }),
    'view.query': () => new Promise((resolve) => waiting.push(resolve)),
    'view.rows': ({ start, count }: AllRequests['view.rows']['in']) => ({
      total: RECORDS,
      start,
      facts: FACTS,
      rows: Array.from({ length: count }, (_, i) => rowOf(start + i)),
    }),
    'view.locate': ({ id }: AllRequests['view.locate']['in']) => {
      located.push(id);
      return { row: id / 10, total: RECORDS / 10 };
    },
    'record.get': ({ id }: AllRequests['record.get']['in']) => ({ ...rowOf(id), fields: [] }),
    ...more,
  };
  const client = {
    request: async (name: string, input: never) => (await answers[name]?.(input)) ?? {},
    on: (name: string, listener: (change: Change) => void) => {
      if (name === 'view.changed') listeners.push(listener);
      return () => undefined;
    },
  } as unknown as Client;
  const logs = new Logs({
    client,
    prefs: { follow: false, histogram: false } as Prefs,
    store: { getItem: () => null, setItem: () => undefined },
    columns: () => [],
    more: () => [],
    stackBy: () => null,
    failed: (error) => expect.fail(String(error)),
  });
  const tell = (change: Partial<Change>): void => listeners.forEach((listener) => listener({ ...WHOLE, ...change }));
  return { logs, tell, located, answer: (revision) => waiting.shift()?.({ revision }) };
}

/** With the record of row 500 selected. */
async function logsAtRecord(more: Parameters<typeof logsOf>[0] = {}): Promise<ReturnType<typeof logsOf>> {
  const made = logsOf(more);
  const { logs, tell } = made;
  await logs.open();
  tell({});
  logs.rows.resize(200);
  logs.rows.goTo(500);
  await until(() => logs.rows.get(500), 'the row');
  logs.places.select(500);
  await until(() => logs.detail.record?.id === 500, 'the record');
  return made;
}

it('knows the sources of the records that are shown; while a filter looks for them, also those of before', async () => {
  const { logs, tell, answer } = logsOf();
  const from = (...sources: number[]): ViewFacts => ({ ...FACTS, span: { from: 0, to: 1 }, sources });
  await logs.open();
  tell({ facts: from(1, 2) });
  expect(logs.shownSources).toEqual([1, 2]);
  logs.change({ after: 3 });
  answer(2);
  await until(() => logs.scan.running, 'the answer');
  tell({ revision: 2, scanned: 200, facts: from(2) });
  expect(logs.shownSources).toEqual([1, 2]);
  tell({ revision: 2, facts: { ...from(), span: null } });
  expect(logs.shownSources).toEqual([1, 2]);
  tell({ revision: 2, facts: from(2) });
  expect(logs.shownSources).toEqual([2]);
});

it('comes back to the selected record as soon as the new filter has come to it', async () => {
  let known = false;
  const { logs, tell, answer } = await logsAtRecord({
    'view.locate': ({ id }: AllRequests['view.locate']['in']) => ({ row: known ? id / 10 : null, total: 0 }),
    'view.seek': () => ({ row: 20 }),
  });
  logs.change({ after: 3 });
  expect(logs.scan.settled).toBe(false);
  // This was under way when the filter changed.
  tell({});
  answer(2);
  await until(() => logs.scan.running, 'the answer');
  expect([logs.selection.cursor, logs.scan.settled]).toEqual([null, false]);
  tell({ revision: 2, total: 20, scanned: 200 });
  await until(() => logs.rows.shown.rows[0]?.id === 0, 'the first rows');
  expect(logs.selection.cursor).toBe(null);
  known = true;
  tell({ revision: 2, total: RECORDS / 10 });
  await until(() => logs.selection.cursor === 50, 'the cursor');
  expect(logs.scan.settled).toBe(true);
});

describe('rows around the selected record', () => {
  /** Of 200 rows around the record, the numbers begin at 400 among all. */
  async function logsNearby(errors: readonly number[] = []): Promise<{ made: ReturnType<typeof logsOf>; asked: unknown[] }> {
    const asked: unknown[] = [];
    let base = 0;
    const made = await logsAtRecord({
      'view.rows': ({ start, count }: AllRequests['view.rows']['in']) => ({
        total: base === 0 ? RECORDS : 200,
        start,
        facts: FACTS,
        rows: Array.from({ length: Math.min(count, base === 0 ? RECORDS : 200 - start) }, (_, i) => rowOf(base + start + i)),
      }),
      'view.locate': ({ id }: AllRequests['view.locate']['in']) => ({ row: id - base, total: 0 }),
      'view.nearest': ({ row, forward }: AllRequests['view.nearest']['in']) => {
        const found = errors.map((error) => error - base).filter((error) => base === 0 || (error >= 0 && error < 200));
        const way = forward ? found.filter((error) => error > row) : found.filter((error) => error < row).reverse();
        const again = forward ? found : found.toReversed();
        return { row: way[0] ?? again[0] ?? null, wrapped: way.length === 0 };
      },
      'view.query': ({ near }: AllRequests['view.query']['in']) => {
        asked.push(near);
        base = 400;
        return { revision: 2 };
      },
    });
    const { tell } = made;
    return { asked, made: { ...made, tell: (change) => ((base = change.nearby === true ? 400 : 0), tell(change)) } };
  }

  it('are shown before the filter has gone over all records, and stay where they are then', async () => {
    const { made, asked } = await logsNearby();
    const { logs, tell } = made;
    logs.change({ after: 3 });
    await until(() => logs.rows.held && logs.scan.running, 'the answer');
    expect(asked).toEqual([500]);
    tell({ revision: 2, total: 200, found: 7, scanned: 10, nearby: true });
    await until(() => logs.selection.cursor === 100, 'the cursor among the rows around it');
    await until(() => logs.rows.shown.rows.some(({ id }) => id === 500), 'the record');
    expect([logs.scan.running, logs.scan.found, logs.rows.total]).toEqual([true, 7, 200]);
    logs.rows.scrollBy(33);
    await until(() => !logs.rows.pending, 'the rows');
    const { rows, cut } = logs.rows.shown;
    tell({ revision: 3 });
    await until(() => logs.selection.cursor === 500, 'the cursor among all rows');
    await until(() => !logs.rows.pending, 'the rows');
    expect([logs.rows.shown.first, logs.rows.shown.cut, logs.rows.total]).toEqual([rows[0]?.id, cut, RECORDS]);
    expect(logs.rows.shown.rows).toEqual(rows);
  });

  it('do not make the table follow at their end', async () => {
    const { made } = await logsNearby();
    const { logs, tell } = made;
    logs.change({ after: 3 });
    await until(() => logs.rows.held && logs.scan.running, 'the answer');
    tell({ revision: 2, total: 200, scanned: 10, nearby: true });
    await until(() => logs.selection.cursor === 100, 'the cursor');
    logs.rows.scrollBy(100_000);
    expect(logs.rows.following).toBe(false);
    await until(() => logs.rows.shown.rows.at(-1)?.id === 599, 'the last of them');
    const first = logs.rows.shown.rows[0]?.id;
    tell({ revision: 3 });
    await until(() => logs.rows.total === RECORDS && !logs.rows.pending, 'all rows');
    expect(logs.rows.shown.rows[0]?.id).toBe(first);
  });

  /** A table with the rows around record 500. @param errors beside 200 and 700 */
  async function nearby(...errors: number[]): Promise<ReturnType<typeof logsOf>> {
    const { made } = await logsNearby([200, ...errors, 700]);
    made.logs.change({ after: 3 });
    await until(() => made.logs.rows.held && made.logs.scan.running, 'the answer');
    made.tell({ revision: 2, total: 200, scanned: 10, nearby: true });
    await until(() => made.logs.selection.cursor === 100 && !made.logs.rows.pending, 'the cursor');
    return made;
  }

  it('keep the cursor where it was moved, also when its record has not come yet', async () => {
    const { logs, tell } = await nearby();
    logs.places.select(103);
    tell({ revision: 3 });
    await until(() => logs.selection.cursor !== null && !logs.rows.pending, 'the cursor among all rows');
    expect(logs.selection.cursor).toBe(503);
  });

  it.each([
    ['first', 0],
    ['last', RECORDS - 1],
  ] as const)('the %s row is that of all rows as soon as the filter has gone over all records', async (end, row) => {
    const { logs, tell } = await nearby();
    logs.places.selectEnd(end, false);
    expect(logs.selection.cursor).toBe(end === 'first' ? 0 : 199);
    tell({ revision: 3 });
    await until(() => logs.selection.cursor === row && !logs.rows.pending, 'the cursor');
    expect(logs.rows.shown.rows.map(({ id }) => id)).toContain(row);
  });

  it.each([
    ['the next error', 'forward', 700],
    ['the error before', 'backward', 200],
  ] as const)('%s is looked for among all rows when none of those nearby is one', async (_what, direction, row) => {
    const { logs, tell } = await nearby();
    const going = logs.places.step('error', direction === 'forward');
    await new Promise((done) => setImmediate(done));
    expect(logs.selection.cursor).toBe(100);
    tell({ revision: 3 });
    expect(await going).toBe(true);
    await until(() => logs.selection.cursor === row && !logs.rows.pending, 'the error');
  });

  it('an error nearby is gone to at once', async () => {
    const { logs } = await nearby(530);
    expect(await logs.places.step('error', true)).toBe(true);
    expect(logs.selection.cursor).toBe(130);
  });

  it('a typed row is that of all rows', async () => {
    const { logs, tell } = await nearby();
    const going = logs.places.goToPlace(() => ({ kind: 'row', row: logs.rows.total - 100 }));
    tell({ revision: 3 });
    await going;
    expect(logs.selection.cursor).toBe(RECORDS - 100);
    await until(() => !logs.rows.pending, 'the rows');
    expect(logs.rows.shown.rows.map(({ id }) => id)).toContain(RECORDS - 100);
  });
});

it('asks for the end first while it follows', async () => {
  const asked: unknown[] = [];
  const { logs, tell } = logsOf({ 'view.query': ({ near }: AllRequests['view.query']['in']) => (asked.push(near), { revision: 2 }) });
  await logs.open();
  tell({});
  logs.rows.resize(200);
  logs.rows.follow(true);
  logs.change({ after: 3 });
  await until(() => asked.length === 1, 'the filter');
  expect(asked).toEqual(['end']);
});

it('stays at the first row when no record is selected', async () => {
  const { logs, tell } = logsOf({
    'view.query': () => ({ revision: 2 }),
    'view.locate': ({ id }: AllRequests['view.locate']['in']) => ({ row: id - 40, total: 0 }),
  });
  await logs.open();
  tell({});
  logs.rows.resize(200);
  logs.rows.startAt(300);
  await until(() => logs.rows.shown.first === 300, 'the place');
  logs.change({ after: 3 });
  await until(() => logs.rows.held && logs.scan.isCurrent === false, 'the answer');
  tell({ revision: 2 });
  await until(() => logs.rows.shown.first === 260, 'the same place');
  expect(logs.selection.cursor).toBe(null);
});

it('stays at its place when repeated records are folded: at the end, or at the first record that is shown', async () => {
  const { logs, tell } = logsOf({
    'view.sort': () => null,
    'view.locate': ({ id }: AllRequests['view.locate']['in']) => ({ row: id / 2, total: RECORDS / 2 }),
  });
  await logs.open();
  tell({});
  logs.rows.resize(200);
  logs.rows.startAt(300);
  await until(() => logs.rows.shown.first === 300, 'the rows');
  const folded: Partial<Change> = { sort: { by: 'repeats', down: false, sorting: null, newer: 0 }, total: RECORDS / 2, revision: 2 };
  logs.sort.fold(true);
  expect([logs.sort.folds, logs.sort.pending]).toEqual([true, true]);
  tell(folded);
  await until(() => logs.rows.shown.first === 150, 'the same record');
  expect(logs.selection.cursor).toBe(null);
  logs.sort.fold(false);
  tell({ revision: 3 });
  logs.rows.follow(true);
  logs.sort.fold(true);
  tell({ ...folded, revision: 4 });
  expect(logs.rows.following).toBe(true);
});

it('comes back also when all was told before the answer', async () => {
  const { logs, tell, answer, located } = await logsAtRecord();
  logs.change({ after: 3 });
  tell({ revision: 2, total: RECORDS / 10 });
  expect(located).toEqual([]);
  answer(2);
  await until(() => logs.selection.cursor === 50, 'the cursor');
  expect(logs.scan.settled).toBe(true);
});

it('shows the record among all rows when more were found before it was located than had been told', async () => {
  const { logs, tell, answer } = await logsAtRecord({
    'view.locate': ({ id }: AllRequests['view.locate']['in']) => ({ row: id, total: RECORDS }),
  });
  logs.change({ after: 3 });
  answer(2);
  await until(() => logs.scan.running, 'the answer');
  tell({ revision: 2, total: 300, scanned: 400 });
  await until(() => logs.selection.cursor === 500, 'the cursor');
  tell({ revision: 2 });
  await until(() => logs.scan.settled && !logs.rows.pending, 'all rows');
  expect(logs.rows.shown.rows.map(({ id }) => id)).toContain(500);
});

it('shows the record also when all is told before the rows around it have come', async () => {
  let slow = false;
  const late: (() => void)[] = [];
  const { logs, tell, answer } = await logsAtRecord({
    'view.locate': ({ id }: AllRequests['view.locate']['in']) => ({ row: id, total: RECORDS }),
    'view.rows': ({ start, count }: AllRequests['view.rows']['in']) => {
      const reply = { total: RECORDS, start, facts: FACTS, rows: Array.from({ length: count }, (_, i) => rowOf(start + i)) };
      return slow ? new Promise((resolve) => late.push(() => resolve(reply))) : reply;
    },
  });
  logs.rows.goTo(900);
  await until(() => logs.rows.shown.first > 800, 'rows elsewhere');
  logs.change({ after: 3 });
  answer(2);
  await until(() => logs.scan.running, 'the answer');
  slow = true;
  tell({ revision: 2, nearby: true, found: 0, scanned: 10 });
  await until(() => logs.selection.cursor === 500, 'the cursor');
  expect(logs.rows.pending).toBe(true);
  tell({ revision: 3 });
  slow = false;
  for (const come of late) come();
  await until(() => logs.scan.settled && !logs.rows.pending && logs.selection.cursor === 500, 'all rows');
  expect(logs.rows.shown.rows.map(({ id }) => id)).toContain(500);
});

it('has the view of the last filter when filters come before there is one, in whatever order they are answered', async () => {
  const opening: ((reply: { view: number }) => void)[] = [];
  const closed: number[] = [];
  const { logs, tell } = logsOf({
    'view.open': () => new Promise((resolve) => opening.push(resolve)),
    'view.close': ({ view }: AllRequests['view.close']['in']) => void closed.push(view),
  });
  const first = logs.open();
  logs.change({ after: 3 });
  await until(() => opening.length === 2, 'both requests');
  opening[1]?.({ view: 2 });
  opening[0]?.({ view: 1 });
  await first;
  await until(() => logs.rows.total === RECORDS, 'the view');
  tell({ view: 2, total: 5 });
  tell({ view: 1, total: 77 });
  expect([logs.rows.total, closed]).toEqual([5, [1]]);
});

it('passes over the answer to a filter of an engine that is gone', async () => {
  const failing: ((error: Error) => void)[] = [];
  const asked: number[] = [];
  const { logs } = logsOf({
    'view.query': ({ view }: AllRequests['view.query']['in']) => {
      asked.push(view);
      return new Promise((_, reject) => failing.push(reject));
    },
  });
  await logs.open();
  logs.change({ after: 3 });
  await until(() => failing.length === 1, 'the request');
  await logs.open();
  failing[0]?.(new Error('The engine stopped before it could answer.'));
  await Promise.resolve();
  await new Promise((done) => setImmediate(done));
  expect([logs.problem, asked]).toEqual([null, [1]]);
});

describe('a place that someone goes to while the filter is applied', () => {
  /** Rows of times, as far as the filter found them: it has found no row before `find` is called. */
  async function applying(): Promise<ReturnType<typeof logsOf> & { find: () => void }> {
    let found = 0;
    const made = logsOf({
      'view.seek': ({ time }: AllRequests['view.seek']['in']) => ({ row: Math.min(found, time / 10) }),
      'view.locate': ({ id }: AllRequests['view.locate']['in']) => ({ row: id / 10 < found ? id / 10 : null, total: found }),
    });
    const { logs, tell, answer } = made;
    await logs.open();
    tell({});
    logs.rows.resize(200);
    logs.change({ after: 3 });
    answer(2);
    await until(() => logs.scan.running, 'the answer');
    tell({ revision: 2, total: 0, scanned: 0 });
    const find = (): void => {
      found = RECORDS / 10;
      tell({ revision: 2, total: found });
    };
    return { ...made, find };
  }

  test.each<[string, (logs: Logs) => Promise<void>]>([
    ['a time', (logs) => logs.places.goToTime(500)],
    ['a line', (logs) => logs.places.goToPlace(() => ({ kind: 'row', row: 50 }))],
    ['a share', (logs) => logs.places.goToPlace(() => ({ kind: 'row', row: logs.rows.total / 2 }))],
    ['a record', (logs) => logs.goToRecord(500, 500)],
  ])('%s is looked for when the filter has gone over all records', async (_what, go) => {
    const { logs, find } = await applying();
    const gone = go(logs);
    await new Promise((done) => setImmediate(done));
    expect(logs.selection.cursor).toBeNull();
    find();
    await gone;
    expect([logs.selection.cursor, logs.filter.after]).toEqual([50, 3]);
  });

  it('gives way to a later one, and to another filter', async () => {
    const { logs, find, answer, tell } = await applying();
    const first = logs.places.goToTime(500);
    const second = logs.places.goToTime(700);
    find();
    await Promise.all([first, second]);
    expect(logs.selection.cursor).toBe(70);
    logs.change({ after: 4 });
    const third = logs.places.goToTime(500);
    logs.change({ after: 5 });
    answer(3);
    answer(4);
    tell({ revision: 4, total: 7 });
    await third;
    expect(logs.selection.cursor).toBeNull();
  });
});

it('shows the selected record in its context also before the inspector has it', async () => {
  const { logs, tell, answer, located } = logsOf({ 'record.get': () => new Promise(() => undefined) });
  await logs.open();
  tell({});
  logs.rows.resize(200);
  logs.rows.goTo(500);
  await until(() => logs.rows.get(500), 'the row');
  logs.places.select(500);
  logs.showInContext();
  tell({ revision: 2, total: 0, scanned: 0 });
  answer(2);
  tell({ revision: 2 });
  await until(() => logs.selection.cursor === 50, 'the cursor');
  expect([located, logs.left]).toEqual([[500], expect.anything()]);
});

it.each([
  { title: 'puts the record of a source away that is hidden', sources: [2], left: undefined },
  { title: 'keeps the record of a source that is shown', sources: [1, 2], left: 500 },
  { title: 'keeps the record when all sources are shown', sources: [], left: 500 },
])('$title', async ({ sources, left }) => {
  const { logs } = await logsAtRecord();
  logs.change({ sources });
  expect(logs.detail.record?.id).toBe(left);
});

it('names no source that was closed, also in the filter that it goes back to', async () => {
  const { logs } = await logsAtRecord();
  logs.change({ sources: [1, 2], from: 5 });
  logs.selection.set(500, false);
  logs.showInContext();
  logs.keepSources([1]);
  expect([logs.filter.sources, logs.left?.sources, logs.left?.from]).toEqual([[], [1], 5]);
  logs.backToFilter();
  void logs.goToSource(3, 0);
  logs.keepSources([1, 3]);
  logs.keepSources([1]);
  expect([logs.filter.sources, logs.left?.sources, logs.left?.from]).toEqual([[], [1], 5]);
});

it('goes on naming a source that was made just now, of which it has not been told yet', async () => {
  const { logs } = await logsAtRecord();
  logs.keepSources([1]);
  logs.change({ sources: [2] });
  logs.keepSources([1]);
  expect(logs.filter.sources).toEqual([2]);
  logs.keepSources([1, 2]);
  logs.keepSources([1]);
  expect(logs.filter.sources).toEqual([]);
});

it.each<[string, (logs: Logs) => Promise<unknown>]>([
  ['a time', (logs) => logs.places.goToTime(900)],
  ['an error', (logs) => logs.places.step('error', true)],
])('%s that is found late leaves someone alone who has gone elsewhere', async (_what, go) => {
  let found = (): void => undefined;
  const late = (): Promise<unknown> => new Promise((resolve) => (found = () => resolve({ row: 900, wrapped: false })));
  const { logs } = await logsAtRecord({ 'view.seek': late, 'view.nearest': late });
  const gone = go(logs);
  await new Promise((done) => setImmediate(done));
  logs.places.goToRow(20);
  found();
  await gone;
  expect(logs.selection.cursor).toBe(20);
});

test('other records are shown when their source is another one, however many there are', async () => {
  const { logs, tell } = logsOf();
  await logs.open();
  const of = (...sources: number[]): Partial<Change> => ({ facts: { ...FACTS, sources } });
  tell(of(1));
  const { others } = logs;
  tell(of(1, 2));
  expect(logs.others).toBe(others);
  tell(of(2));
  expect(logs.others).toBe(others + 1);
  // Begun anew: one of them is decoded differently.
  tell({ ...of(2), scanned: 0 });
  tell(of(2));
  expect(logs.others).toBe(others + 2);
});

describe('two places', () => {
  it('each has rows and a cursor of its own; commands are about the one that was used last', async () => {
    const { logs } = await logsAtRecord();
    const { first } = logs;
    logs.split();
    const second = logs.second ?? expect.fail('there is no second place');
    expect([logs.active, second.rows.total, second.selection.cursor, second.time]).toEqual([second, RECORDS, 500, null]);
    second.resize(200);
    second.places.goToRow(20);
    await until(() => logs.detail.record?.id === 20, 'the record at the second place');
    await until(() => second.rows.shown.rows[0]?.id === 16, 'the rows of the second place');
    expect([first.selection.cursor, logs.selection.cursor, first.time, second.time]).toEqual([500, 20, 500, 20]);
    logs.activate(first);
    await until(() => logs.detail.record?.id === 500, 'the record at the first place');
    expect([logs.selection.cursor, logs.rows]).toEqual([500, first.rows]);
    logs.split();
    expect([logs.sides, logs.active]).toEqual([[first], first]);
  });

  it('each comes back to its own record when another filter has found it', async () => {
    const { logs, tell, answer } = await logsAtRecord({
      'view.locate': ({ id }: AllRequests['view.locate']['in']) => ({ row: id === 500 ? 50 : 2, total: RECORDS / 10 }),
    });
    logs.split();
    const { first, second } = logs;
    second?.resize(200);
    second?.places.goToRow(20);
    await until(() => logs.detail.record?.id === 20, 'the record at the second place');
    logs.change({ after: 3 });
    answer(2);
    await until(() => logs.scan.running, 'the answer');
    // The first rows that are told are those around the record of the place that is used.
    tell({ revision: 2, total: 20, scanned: 200, nearby: true });
    await until(() => second?.selection.cursor === 2, 'the cursor of the second place');
    expect([first.selection.cursor, first.rows.nearby, first.rows.held]).toEqual([null, false, true]);
    tell({ revision: 2, total: RECORDS / 10 });
    await until(() => second?.selection.cursor === 2 && first.selection.cursor === 50, 'both cursors');
    expect(logs.detail.record?.id).toBe(20);
  });
});
