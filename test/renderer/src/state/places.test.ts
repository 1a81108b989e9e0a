import { expect, it } from 'vitest';
import type { UnreadRecord } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { Places } from '../../../../renderer/src/state/places.ts';

const row = { time: 0, timeNs: '0', severity: null, source: 1, logger: 'a', type: 'a', failure: null, values: [], columns: [] };

/** Places in a view of records with these texts, one a second, and the row that was gone to. */
function placesIn(texts: string): { places: Places; shown: () => number | null } {
  let shown: number | null = null;
  const rows = [...texts].map((text, id) => ({ ...row, id, text, time: 1000 * id, timeNs: `${id}` }));
  const client = {
    request: (_name: 'view.seek', { time }: { time: number }) => Promise.resolve({ row: time / 1000 }),
  } as unknown as Client;
  const fetch = (start: number, count: number): Promise<unknown> =>
    Promise.resolve({ total: rows.length, start, rows: rows.slice(start, start + count) });
  const options = {
    client,
    view: () => 1,
    fetch,
    rows: { held: false, setAtLeast: () => undefined, startAt: (first: number) => (shown = first) },
    scan: { whole: () => Promise.resolve(true) },
  };
  return { places: new Places(options as unknown as ConstructorParameters<typeof Places>[0]), shown: () => shown };
}

const ahead = (texts: string, from: number): UnreadRecord[] =>
  [...texts].map((text, i) => ({ ...row, text, time: 1000 * (from + i), timeNs: `${from + i}`, at: i }));

it.each([
  ['counted from the end', 'cd', 2, 4, true, 2],
  ['found by their time where the count is another one, as the file has grown', 'cd', 2, 3, true, 2],
  ['found by their time where they were not counted', 'cd', 2, null, true, 2],
  ['not there', 'cx', 2, 4, false, null],
  ['not of that time', 'cd', 3, null, false, null],
  ['none', '', 0, 0, false, null],
])('records that had no numbers are shown where they stand now: %s', async (_what, texts, from, behind, isThere, first) => {
  const { places, shown } = placesIn('abcdef');
  expect(await places.stayOn(ahead(texts, from), behind)).toBe(isThere);
  expect(shown()).toBe(first);
});
