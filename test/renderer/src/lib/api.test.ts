import { describe, expect, it } from 'vitest';
import { createClient, errorText, problemOf, RequestError } from '../../../../renderer/src/lib/api.ts';

const PLACE = { filter: 1, from: 2, to: 3 } as never;
const clientOf = (reply: object) =>
  createClient({ request: () => Promise.resolve(reply), openDropped: () => Promise.resolve(reply), platform: 'linux' } as never);

describe('a request', () => {
  it('brings its value', async () => {
    const client = clientOf({ value: { view: 3 } });
    expect(await client.request('view.open', { query: {} })).toEqual({ view: 3 });
    expect(await client.openDropped([])).toEqual({ view: 3 });
    expect(client.platform).toBe('linux');
  });

  it.each([
    [{ code: 'query.matcher', text: 'no', place: PLACE }, PLACE],
    [{ code: 'query.matcher', text: 'no' }, null],
  ])('that is refused throws: case %#', async (failed, place) => {
    const client = clientOf({ failed });
    const error = { name: 'RequestError', message: 'no', code: 'query.matcher', place };
    await expect(client.request('view.open', { query: {} })).rejects.toMatchObject({ ...error, request: 'view.open' });
    await expect(client.openDropped([])).rejects.toMatchObject({ ...error, request: 'source.open' });
  });
});

it.each([
  [new Error('why'), 'why'],
  [new Error(''), 'It failed and gave no reason.'],
  ['why', 'why'],
  [undefined, 'undefined'],
])('the text of an error: case %#', (error, text) => expect(errorText(error)).toBe(text));

it('a problem of a query has the place that the engine says', () => {
  expect(problemOf(new RequestError('view.open', { code: 'query.matcher', text: 'no', place: PLACE } as never))).toEqual({
    text: 'no',
    place: PLACE,
  });
  expect(problemOf(new Error('x'))).toEqual({ text: 'x', place: null });
});
