import { expect, it } from 'vitest';
import type { AllRequests } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { RawPage } from '../../../../renderer/src/state/raw-page.svelte.ts';
import { until } from '../../../until.ts';

/** A file of a hundred lines of ten bytes. */
const LINES = 100;
const SIZE = 10 * LINES;

type Place = AllRequests['source.raw']['in'];

/** A page of so many lines of that file, and the places that it has asked for. */
function pageOf(count: number): { page: RawPage; asked: Place[]; settled: () => Promise<void> } {
  const asked: Place[] = [];
  let answered = 0;
  const answer = async (place: Place): Promise<AllRequests['source.raw']['out']> => {
    asked.push(place);
    await Promise.resolve();
    answered++;
    const line = Math.max(0, (place.at >= SIZE ? LINES : Math.floor(place.at / 10)) - place.before);
    const lines = Array.from({ length: Math.min(place.count, LINES - line) }, (_, i) => ({ at: 10 * (line + i), text: `${line + i}` }));
    return { lines, end: 10 * (line + lines.length), size: SIZE };
  };
  const client = { request: (_name: string, place: Place) => answer(place) } as unknown as Client;
  const page = new RawPage(client, 1);
  page.resize(count);
  const settled = async (): Promise<void> => {
    await until(() => asked.length === answered, 'all answers');
    await new Promise((done) => setImmediate(done));
  };
  return { page, asked, settled };
}

const first = (page: RawPage): number => page.first / 10;

it('moves by lines, to the ends, and to a part of the file', async () => {
  const { page, settled } = pageOf(20);
  await settled();
  expect([first(page), page.atEnd, page.moved]).toEqual([0, false, false]);
  page.by(3);
  await settled();
  expect([first(page), page.moved]).toEqual([3, true]);
  page.by(-2);
  await settled();
  expect(first(page)).toBe(1);
  page.by(-50);
  await settled();
  expect(first(page)).toBe(0);
  page.to(0.5);
  await settled();
  expect(first(page)).toBe(40);
  page.end();
  await settled();
  expect([first(page), page.atEnd]).toEqual([80, true]);
  page.by(5);
  await settled();
  expect(first(page)).toBe(80);
  page.begin();
  await settled();
  expect(first(page)).toBe(0);
});

it('never goes beyond the end, and stays there when more lines have room', async () => {
  const { page, settled } = pageOf(20);
  await settled();
  page.to(0.99);
  await settled();
  page.by(20);
  await settled();
  expect([first(page), page.atEnd]).toEqual([80, true]);
  page.resize(30);
  await settled();
  expect([first(page), page.atEnd]).toEqual([70, true]);
});

it('asks for the last place alone when it moves faster than answers come', async () => {
  const { page, asked, settled } = pageOf(20);
  await settled();
  for (let part = 0; part < 1; part += 0.1) page.to(part);
  page.to(0.25);
  await settled();
  await settled();
  expect(first(page)).toBe(20);
  expect(asked.length).toBeLessThanOrEqual(3);
});

it('says so when the file cannot be shown by bytes', async () => {
  const page = new RawPage({ request: () => Promise.resolve(null) } as unknown as Client, 1);
  page.resize(20);
  await until(() => page.refused, 'the refusal');
  expect([page.first, page.bytes, page.atEnd]).toEqual([0, 0, false]);
});
