/** Searches that ask ripgrep find what those find that read every record. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import type { RecordQuery, TextQuery } from '../../../../engine/api/types.ts';
import { compileSearch } from '../../../../engine/store/search/compile-search.ts';
import { RecordStore, type ScoutLimits } from '../../../../engine/store/record-store.ts';
import { ViewSearch } from '../../../../engine/store/search/search.ts';
import { RecordView } from '../../../../engine/store/view.ts';
import { testMs } from '../../../patience.ts';
import { until } from '../../../until.ts';
import { linesBatch, newFolder } from '../fixtures.ts';

/** Records of one append that is written as it is. */
const SEGMENT = 600;
const AT_ONCE: ScoutLimits = { afterMs: 0, leastBytes: 0, leastSegments: Infinity };

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const work of cleanUp.splice(0).reverse()) await work();
});

const fail = (error: unknown): never => {
  throw error;
};

function emptyStore(scouting: ScoutLimits = AT_ONCE): RecordStore {
  // Nothing stays in memory but the last one.
  const store = new RecordStore({ folder: newFolder(), cacheBytes: 0, scouting });
  cleanUp.push(() => store.close());
  return store;
}

async function addSegments(store: RecordStore, segments: readonly (readonly string[])[]): Promise<void> {
  for (const texts of segments) {
    const filled = Array.from({ length: SEGMENT }, (_, i) => ({ at: i, text: texts[i] ?? `filler ${i}` }));
    await store.append({ ...linesBatch(filled), source: 1, decoder: 'test' });
  }
  await store.flushed();
}

async function storeOf(segments: readonly (readonly string[])[], scouting?: ScoutLimits): Promise<RecordStore> {
  const store = emptyStore(scouting);
  await addSegments(store, segments);
  return store;
}

/** The number of hits of a search among all records. */
async function hitsOf(store: RecordStore, query: TextQuery): Promise<number> {
  let search: ViewSearch | null = null;
  const view = new RecordView(store, {}, () => search?.wake(), fail);
  await until(() => view.complete, 'the view');
  const own = (search = new ViewSearch(store, view, query, 0, () => undefined, fail));
  await until(
    () => own.progress.complete,
    () => JSON.stringify(own.progress),
  );
  const { hits } = own.progress;
  own.close();
  view.close();
  return hits;
}

/** The number of records that a view of a filter shows. */
async function shownBy(store: RecordStore, query: RecordQuery): Promise<number> {
  const view = new RecordView(store, query, () => undefined, fail);
  await until(() => view.complete, 'the view');
  view.close();
  return view.total;
}

/** Segments of which one has the text. */
const oneOf = (count: number, at: number, text: string): string[][] =>
  Array.from({ length: count }, (_, i) => (i === at ? ['x', text] : ['x']));

describe('a search with ripgrep', () => {
  it('reads only the segments that may have hits', async () => {
    const store = await storeOf(oneOf(20, 11, 'the needle'));
    const load = vi.spyOn(store, 'readInto');
    expect(await hitsOf(store, { text: 'NEEDLE' })).toBe(1);
    const read = load.mock.calls.length;
    expect(read).toBeLessThan(8);
    expect(await shownBy(store, { text: 'n[e]+dle', regex: true })).toBe(1);
    expect(load.mock.calls.length - read).toBeLessThan(8);
  });

  it('reads only the segments that may have the value of a field', async () => {
    const store = emptyStore();
    for (let i = 0; i < 20; i++) {
      const host = { name: 'host', valueType: 0, values: [i === 11 ? 'web 12' : `db ${i}`] } as const;
      const messages = Array.from({ length: SEGMENT }, () => ({ uuid: new Uint8Array(16), timestamp: BigInt(i), fields: [host] }));
      await store.append({ batch: batchOf(messages), raw: null, source: 1, decoder: 'test' });
    }
    await store.flushed();
    const columns = vi.spyOn(store, 'readInto');
    expect(await shownBy(store, { matcher: "Fields[host] == 'web 12'" })).toBe(SEGMENT);
    expect(await shownBy(store, { matcher: 'Fields[host] =~ /^web \\d/ && Fields[host] =~ /2$/' })).toBe(SEGMENT);
    expect(columns.mock.calls.length).toBeLessThan(16);
  });

  it('reads the segments with other characters than those of Latin-1, and those that came later', async () => {
    const store = await storeOf(oneOf(12, 5, '日本 needle é'));
    expect(await hitsOf(store, { text: 'needle É' })).toBe(1);
    expect(await shownBy(store, { text: '日' })).toBe(1);
    let search: ViewSearch | null = null;
    const view = new RecordView(store, {}, () => search?.wake(), fail);
    await until(() => view.complete, 'the view');
    const own = (search = new ViewSearch(store, view, { text: 'late' }, 0, () => undefined, fail));
    await addSegments(store, [['late'], ['too late']]);
    await until(
      () => own.progress.complete && own.progress.hits === 2,
      () => JSON.stringify(own.progress),
    );
    own.close();
    view.close();
  });

  it('leaves records out that were removed', async () => {
    const store = await storeOf(oneOf(12, 5, 'needle'));
    await store.append({ ...linesBatch(Array.from({ length: SEGMENT }, (_, at) => ({ at, text: 'needle' }))), source: 2, decoder: 'test' });
    await store.flushed();
    store.remove(2);
    expect(await hitsOf(store, { text: 'needle' })).toBe(1);
  });

  it('goes from hit to hit', async () => {
    const store = await storeOf(oneOf(20, 11, 'needle'));
    const view = new RecordView(store, {}, () => undefined, fail);
    await until(() => view.complete, 'the view');
    const search = new ViewSearch(store, view, { text: 'needle' }, 0, () => undefined, fail);
    expect(await search.nearest(0, true)).toEqual({ row: 11 * SEGMENT + 1, wrapped: false });
    expect(await search.nearest(11 * SEGMENT + 1, true)).toEqual({ row: 11 * SEGMENT + 1, wrapped: true });
    search.close();
    view.close();
  });

  it('reads all where most segments have hits', async () => {
    const segments = Array.from({ length: 30 }, (_, i) => (i < 3 ? [] : ['needle']));
    const store = await storeOf(segments, { ...AT_ONCE, leastSegments: 4 });
    expect(await hitsOf(store, { text: 'needle' })).toBe(27);
  });

  it('does without ripgrep where it cannot read the file', async () => {
    const store = await storeOf(oneOf(12, 5, 'needle'));
    vi.spyOn(store, 'readable').mockRejectedValue(new Error('no'));
    expect(await hitsOf(store, { text: 'needle' })).toBe(1);
    vi.spyOn(store, 'readable').mockResolvedValue({ descriptor: 0, path: '/nowhere' });
    expect(await shownBy(store, { text: 'needle' })).toBe(1);
  });

  it('ends at once when it is closed', async () => {
    const store = await storeOf(oneOf(12, 5, 'needle'));
    const view = new RecordView(store, {}, () => undefined, fail);
    await until(() => view.complete, 'the view');
    const search = new ViewSearch(store, view, { text: 'needle' }, 0, () => undefined, fail);
    const nearest = search.nearest(0, true);
    search.close();
    expect(await nearest).toBeNull();
    view.close();
  });

  it('finds the same as a search that reads every record', { timeout: 4 * testMs() }, async () => {
    const piece = fc.constantFrom(
      ...'abAB sSkK0_-"=',
      '\r',
      '\r\n',
      '\n',
      '\0',
      'é',
      'É',
      'ÿ',
      'µ',
      'ß',
      '\x80',
      '\ufffd',
      'K',
      'ſ',
      '日',
      'x'.repeat(5000),
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    const narrow = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.filter((one) => one.charCodeAt(0) < 0x100).join(''));
    const records = fc.array(fc.oneof(narrow, narrow, narrow, text), { minLength: 1, maxLength: 3 });
    const atom = fc.constantFrom(
      ...'abAs=0é',
      '.',
      '\\s',
      '\\S',
      '\\w',
      '\\W',
      '\\b',
      '\\B',
      '^',
      '$',
      '[^a]',
      '[^"]',
      '[a-c]',
      '\\n',
      '\\r',
      '\\x00',
      '[é-ÿ]',
      '(?s:.)',
      '日',
    );
    const repeated = fc
      .tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}'))
      .map(([one, times]) => (/^(\\[bB]|[\^$])$/.test(one) ? one : one + times));
    const run = fc.array(repeated, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const expression = fc.oneof(
      run,
      run,
      fc.tuple(run, run).map(([a, b]) => `(${a}|${b})a`),
      fc.tuple(run, run).map(([a, b]) => `${a}|${b}`),
    );
    const flags = { caseSensitive: fc.boolean(), word: fc.boolean() };
    const query = fc.oneof(
      fc.record({ text: expression, regex: fc.constant(true), ...flags }),
      fc.record({ text: narrow.filter((one) => one !== ''), regex: fc.constant(false), ...flags }),
    );
    const segments = fc.array(records, { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(segments, fc.array(query, { minLength: 1, maxLength: 6 }), async (all, queries) => {
        const store = await storeOf([[], [], ...all]);
        const texts = [[], [], ...all].flatMap((own) => Array.from({ length: SEGMENT }, (_, i) => own[i] ?? `filler ${i}`));
        for (const asked of queries) {
          const search = compileSearch(asked);
          const expected = texts.filter((one) => search?.test(one, 0, one.length)).length;
          expect(await hitsOf(store, asked), JSON.stringify(asked)).toBe(expected);
          expect(await shownBy(store, asked), JSON.stringify(asked)).toBe(expected);
        }
        await store.close();
      }),
      { numRuns: 12 },
    );
  });
});
