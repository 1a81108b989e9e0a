import { expect, it, vi } from 'vitest';
import type { Difference, SourceInfo } from '../../../../engine/api/types.ts';
import { NO_FILTER, type Filter } from '../../../../renderer/src/lib/filter/filter.ts';
import type { App } from '../../../../renderer/src/state/app.svelte.ts';
import { Comparing } from '../../../../renderer/src/state/comparison.svelte.ts';

const ANSWER: Difference = {
  rows: [],
  a: { records: 1, from: 0, to: 0 },
  b: { records: 1, from: 0, to: 0 },
  tests: 1,
  skipped: [],
  done: 1,
  complete: true,
};

const ROW = { text: 'status 502: 1 % of A, 8 % of B' } as Difference['rows'][number];

const SOURCES = ['a.log', 'b.log', 'c.log'].map((label, id) => ({ id, label }) as SourceInfo);

function comparing(filter: Filter, times: readonly number[] = [], sources: readonly SourceInfo[] = SOURCES) {
  const request = vi
    .fn()
    .mockResolvedValueOnce({ ...ANSWER, complete: false })
    .mockResolvedValue(ANSWER);
  const selection = { cursor: 5 };
  const logs = { filter, change: vi.fn(), selection, rows: { get: (row: number) => (row === 5 ? { time: 1500 } : null) } };
  const app = { client: { request }, engine: { sources }, prefs: { zone: 'utc' }, logs, filterBy: vi.fn(), show: vi.fn() };
  const more = { marks: { list: times.map((time) => ({ time })) }, incident: { change: vi.fn() } };
  return { app, more, request, state: new Comparing({ ...app, ...more } as unknown as App) };
}

it('compares a time with as long before it, until all is counted, and shows records of both', async () => {
  const { app, request, state } = comparing({ ...NO_FILTER, from: 1000, to: 1600 });
  expect(state.canCompareTime).toBe(true);
  state.compareTime();
  await vi.waitFor(() => expect(state.answer?.complete).toBe(true));
  expect(request.mock.calls).toEqual(
    new Array(2).fill(['records.compare', { a: { from: 400, to: 1000 }, b: { from: 1000, to: 1600 }, without: [] }]),
  );
  state.show('status 502', 'Fields[status] == 502');
  expect([app.logs.change.mock.calls, app.filterBy.mock.calls, state.current]).toEqual([
    [[{ from: 400, to: 1600 }]],
    [['status 502', 'Fields[status] == 502']],
    null,
  ]);
});

it('compares what is shown from a time on with what is shown before it', async () => {
  const { app, request, state } = comparing({ ...NO_FILTER, from: 1000, to: 1600 });
  state.compareFrom(1500, '10:00');
  await vi.waitFor(() => expect(state.answer?.complete).toBe(true));
  expect(request.mock.calls[0]?.[1]).toEqual({ a: { from: 1000, to: 1500 }, b: { from: 1500, to: 1600 }, without: [] });
  state.show('status 502', 'Fields[status] == 502');
  expect(app.logs.change).not.toHaveBeenCalled();
});

it('compares from the selected record on', async () => {
  const { request, state } = comparing(NO_FILTER);
  expect(state.selectedTime).toBe(1500);
  state.compareHere();
  await vi.waitFor(() => expect(state.answer?.complete).toBe(true));
  expect(request.mock.calls[0]?.[1]).toEqual({ a: { to: 1500 }, b: { from: 1500 }, without: [] });
  expect(state.current?.b).toBe('from 1970-01-01 00:00:01 on');
});

it.each<[string, readonly number[], number, string | null, string]>([
  ['the one that is shown', [1], 3, 'b.log', 'all other sources'],
  ['the later one of two', [], 2, 'b.log', 'a.log'],
  ['none of three', [], 3, null, ''],
  ['none where several are shown', [0, 1], 3, null, ''],
  ['none of one', [0], 1, null, ''],
])('compares of the sources %s', (_name, shown, count, label, others) => {
  const { state } = comparing({ ...NO_FILTER, sources: [...shown] }, [], SOURCES.slice(0, count));
  expect(state.source?.label ?? null).toBe(label);
  if (state.source !== null) expect(state.othersOf(state.source)).toBe(others);
});

it('compares a value with the rest, and says why that cannot be done', async () => {
  const { request, state } = comparing(NO_FILTER);
  expect(state.canCompareTime).toBe(false);
  request.mockReset().mockRejectedValue(new Error('no engine'));
  state.compareValue('host = a', "Fields[host] == 'a'", ['host']);
  await vi.waitFor(() => expect(state.problem).toContain('no engine'));
  expect(request.mock.calls[0]?.[1]).toEqual({ a: {}, b: { filters: [{ matcher: "Fields[host] == 'a'" }] }, without: ['host'] });
});

it('compares the time between marks, and a source with the others', async () => {
  const { request, state } = comparing({ ...NO_FILTER, sources: [7] }, [2000, 1000, 1500]);
  state.compareMarked();
  state.compareSource({ id: 3, label: 'a.log' } as Parameters<Comparing['compareSource']>[0]);
  await vi.waitFor(() => expect(state.answer?.complete).toBe(true));
  expect(request.mock.calls.map(([, sides]) => sides as unknown)).toEqual([
    { a: { sources: [7], from: -1, to: 1000 }, b: { sources: [7], from: 1000, to: 2001 }, without: [] },
    { a: {}, b: { sources: [3] }, without: [] },
  ]);
  expect(comparing(NO_FILTER, [5, 5]).state.markedTime).toBeNull();
  expect(comparing(NO_FILTER).state.markedTime).toBeNull();
});

it('puts its sentences into the incident', async () => {
  const { app, more, request, state } = comparing(NO_FILTER);
  request.mockReset().mockResolvedValue({ ...ANSWER, rows: [ROW] });
  state.compareValue('host = a', "Fields[host] == 'a'", ['host']);
  await vi.waitFor(() => expect(state.answer?.complete).toBe(true));
  state.keep();
  expect([more.incident.change.mock.calls, app.show.mock.calls, state.current]).toEqual([
    [[{ difference: { title: 'host = a, compared with all others', sentences: [ROW.text] } }]],
    [['incident']],
    null,
  ]);
});
