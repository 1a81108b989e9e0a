import { describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../../../renderer/src/lib/api.ts';
import { NO_DRAFT, NO_FILTER, toQuery, type Filter } from '../../../../../renderer/src/lib/filter/filter.ts';
import { applyFilter, openView } from '../../../../../renderer/src/state/filter/apply-filter.ts';

const FILTER: Filter = { ...NO_FILTER, sources: [1], draft: { ...NO_DRAFT, typed: 'x' } };
const WHOLE = toQuery(FILTER);
const WITHOUT_DRAFT = toQuery({ ...FILTER, draft: NO_DRAFT });

/** An engine that refuses the first queries. */
function refusing(count: number) {
  let left = count;
  const request = vi.fn((_name: string, _input: { readonly query: unknown }) =>
    left-- > 0 ? Promise.reject(new Error(`no ${count - left}`)) : Promise.resolve({ revision: 7, view: 3 }),
  );
  const queries = (): unknown[] => request.mock.calls.map(([, { query }]) => query);
  return { client: { request } as unknown as Client, request, queries };
}

describe('a filter', () => {
  it.each([
    [0, [WHOLE], 7, null],
    [1, [WHOLE, WITHOUT_DRAFT], 7, 'no 1'],
    [2, [WHOLE, WITHOUT_DRAFT, {}], 7, 'no 1'],
    [3, [WHOLE, WITHOUT_DRAFT, {}], 0, 'no 1'],
  ])('is applied as far as the engine takes it: refused %d times', async (count, tried, since, text) => {
    const { client, queries } = refusing(count);
    const applied = await applyFilter(client, 3, FILTER, 'end', () => true);
    expect(applied).toEqual({ since, problem: text === null ? null : { text, place: null } });
    expect(queries()).toEqual(tried);
  });

  it('is not tried again when there is a newer one', async () => {
    const { client, queries } = refusing(1);
    expect(await applyFilter(client, 3, FILTER, undefined, () => false)).toEqual({ since: 0, problem: { text: 'no 1', place: null } });
    expect(queries()).toEqual([WHOLE]);
  });

  it('says where rows are wanted first', async () => {
    const { client, request } = refusing(0);
    await applyFilter(client, 3, FILTER, 40, () => true);
    expect(request).toHaveBeenCalledWith('view.query', { view: 3, query: WHOLE, near: 40 });
  });
});

describe('a view', () => {
  it.each([
    [0, FILTER, [WHOLE], 3, null],
    [1, FILTER, [WHOLE, {}], 3, 'no 1'],
    [2, FILTER, [WHOLE, {}], null, 'no 1'],
    [1, NO_FILTER, [toQuery(NO_FILTER)], null, 'no 1'],
  ])('is opened, without a filter that is refused: case %#', async (count, filter, tried, view, text) => {
    const { client, queries } = refusing(count);
    expect(await openView(client, filter)).toEqual({ view, problem: text === null ? null : { text, place: null } });
    expect(queries()).toEqual(tried);
  });
});
