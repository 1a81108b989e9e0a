import { expect, it, vi } from 'vitest';
import type { Difference } from '../../../../engine/api/types.ts';
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

function comparing(filter: Filter) {
  const request = vi
    .fn()
    .mockResolvedValueOnce({ ...ANSWER, complete: false })
    .mockResolvedValue(ANSWER);
  const app = { client: { request }, logs: { filter, change: vi.fn() }, filterBy: vi.fn() };
  return { app, request, state: new Comparing(app as unknown as App) };
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

it('compares a value with the rest, and says why that cannot be done', async () => {
  const { request, state } = comparing(NO_FILTER);
  expect(state.canCompareTime).toBe(false);
  request.mockReset().mockRejectedValue(new Error('no engine'));
  state.compareValue('host = a', "Fields[host] == 'a'", ['host']);
  await vi.waitFor(() => expect(state.problem).toContain('no engine'));
  expect(request.mock.calls[0]?.[1]).toEqual({ a: {}, b: { filters: [{ matcher: "Fields[host] == 'a'" }] }, without: ['host'] });
});
