import { expect, test } from 'vitest';
import type { PastSession, Place } from '../../../../renderer/src/lib/sources/past-session.ts';
import { NO_FILTER } from '../../../../renderer/src/lib/filter/filter.ts';
import type { App } from '../../../../renderer/src/state/app.svelte.ts';
import { Session } from '../../../../renderer/src/state/session.svelte.ts';

const PLACE = { row: 7, time: 1 };
const PAST: PastSession = { files: ['/a.log'], filter: NO_FILTER, only: [], place: PLACE, range: null, last: null };

/** Where a session goes back to whose file has ten records, of which the view is told of so many. */
async function placesAt(state: 'reading' | 'following', told: number, past = PAST): Promise<Place[]> {
  const places: Place[] = [];
  const side = { rows: { follow: () => undefined }, places: { returnTo: (place: Place) => Promise.resolve(void places.push(place)) } };
  const app = {
    engine: { state: { sources: [{ id: 1, kind: 'file', location: '/a.log', records: 10, state }] }, refresh: () => Promise.resolve() },
    logs: {
      ...{ scan: { records: told, settled: true }, change: () => undefined, sides: [side], activate: () => undefined },
      split(on: boolean) {
        this.sides = on ? [side, side] : [side];
      },
    },
    timeLink: { reset: () => undefined },
  };
  const session = new Session(app as unknown as App, { getItem: () => null, setItem: () => undefined });
  await session.adopt(past);
  return places;
}

test.each([
  ['reading', 10, []],
  ['following', 9, []],
  ['following', 10, [PLACE]],
] as const)('the place comes back when the file is %s and the view has heard of %d of its 10 records: %j', async (state, told, places) =>
  expect(await placesAt(state, told)).toEqual(places),
);

test('a second place comes back with its own rows, or at the end', async () => {
  const there = { row: 2, time: 0 };
  expect(await placesAt('following', 10, { ...PAST, second: { place: there } })).toEqual([PLACE, there]);
  expect(await placesAt('following', 10, { ...PAST, second: { place: null } })).toEqual([PLACE]);
});
