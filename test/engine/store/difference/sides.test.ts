import { afterEach, describe, expect, it } from 'vitest';
import type { RecordQuery } from '../../../../engine/api/types.ts';
import type { RecordStore } from '../../../../engine/store/record-store.ts';
import { NO_BLOCK, SIDE_BLOCKS, sumOf } from '../../../../engine/store/difference/block-counts.ts';
import { Sides } from '../../../../engine/store/difference/sides.ts';
import { append, newStore, type Line } from '../fixtures.ts';

const stores: RecordStore[] = [];
afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));

const lines = (times: readonly number[]): Line[] => times.map((at, i) => ({ at, text: `line ${i}`, severity: i % 8 }));
const seconds = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i);

/** The sides of records at these seconds, selected as far as they are of a side, and their blocks. */
async function sidesOf(times: readonly number[], a: RecordQuery, b: RecordQuery): Promise<{ sides: Sides; blocks: number[] }> {
  const store = newStore();
  stores.push(store);
  await append(store, lines(times));
  await store.flushed();
  const sides = new Sides(a, b);
  for (const segment of store.segments) if (!sides.isOutside(segment)) sides.select(segment, await store.load(segment));
  const blocks: number[] = [];
  for (const segment of sides.segments) blocks.push(...sides.divide(segment, await store.load(segment)));
  return { sides, blocks };
}

describe('the sides of a difference', () => {
  it.each<[string, number[], RecordQuery, RecordQuery, [number, number], number | null]>([
    ['two times, one twice as long', seconds(301), { to: 201_000 }, { from: 201_000 }, [201, 100], 200 / 99],
    [
      'the rest and a level of the same time: of both is of B',
      seconds(80),
      {},
      { filters: [{ matcher: 'Severity == 3' }] },
      [70, 10],
      null,
    ],
    ['times of which a little is common', seconds(100), { to: 60_000 }, { from: 50_000 }, [50, 50], 1],
    ['one moment, of no length', [...seconds(50), 60, 60, 60], { to: 55_000 }, { from: 55_000 }, [50, 3], null],
    ['nothing', seconds(10), { to: 0 }, { from: 1_000_000 }, [0, 0], null],
  ])('%s', async (_name, times, a, b, records, by) => {
    const { sides, blocks } = await sidesOf(times, a, b);
    expect([sides.records, sides.seconds]).toEqual([records, by]);
    expect([sumOf(sides.totals, 0), sumOf(sides.totals, 1)]).toEqual(records);
    if (records[0] === 0) expect([sides.side(0), [...sides.segments], blocks]).toEqual([{ records: 0, from: 0, to: 0 }, [], []]);
  });

  it('leaves out the time up to the many, and the few far ones are of the first and the last block', async () => {
    const times = [1_000_000, 0, ...seconds(479, 1_000_001), 2_000_000];
    const { sides, blocks } = await sidesOf(times, { to: 1_000_240_000 }, { from: 1_000_240_000 });
    expect(sides.side(0)).toEqual({ records: 241, from: 1_000_000_000, to: 1_000_239_000 });
    expect([blocks[1], blocks.at(-1)]).toEqual([0, 2 * SIDE_BLOCKS - 1]);
    expect([...sides.totals.slice(0, 3)]).toEqual([11, 10, 10]);
  });

  it('gives rows of neither side no block, and knows segments that are outside', async () => {
    const { sides, blocks } = await sidesOf(seconds(30), { to: 10_000 }, { from: 20_000 });
    expect(blocks.map((block) => (block === NO_BLOCK ? '-' : block < SIDE_BLOCKS ? 'a' : 'b')).join('')).toBe(
      `${'a'.repeat(10)}${'-'.repeat(10)}${'b'.repeat(10)}`,
    );
    const [segment] = sides.segments;
    expect(segment !== undefined && new Sides({ to: 0 }, { sources: [7] }).isOutside(segment)).toBe(true);
  });

  it('refuses a wrong expression', () => {
    expect(() => new Sides({}, { matcher: 'Severity >' })).toThrow(expect.objectContaining({ code: 'query.matcher' }));
  });
});
