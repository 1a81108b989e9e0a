/** Searches of the window that start ripgrep over the written records find what those find that read all of them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SearchProgress, TextQuery } from '../../../engine/api/types.ts';
import { startRipgrep } from '../../../engine/search/ripgrep.ts';
import type { ScoutLimits } from '../../../engine/store/record-store.ts';
import { until } from '../../until.ts';
import { Engine } from './engine-fixture.ts';

vi.mock(import('../../../engine/search/ripgrep.ts'), async (original) => {
  const own = await original();
  return { ...own, startRipgrep: vi.fn(own.startRipgrep) };
});

const settings = vi.hoisted((): { scouting?: ScoutLimits } => ({}));

/** Nothing that was written stays in memory, and searches ask ripgrep when the settings say so. */
vi.mock(import('../../../engine/store/record-store.ts'), async (original) => {
  const own = await original();
  return {
    ...own,
    RecordStore: class extends own.RecordStore {
      constructor(options: ConstructorParameters<typeof own.RecordStore>[0]) {
        super({ ...options, ...settings, cacheBytes: 0 });
      }
    },
  };
});

const LINES = 24_000;
const AT_ONCE: ScoutLimits = { afterMs: 0, leastBytes: 0, leastSegments: Infinity };
const NEVER: ScoutLimits = { ...AT_ONCE, leastBytes: Infinity };

/** Lines of which some hundred hold what is looked for, all in one stretch. */
const lineOf = (number: number): string => {
  const what = number > 15_000 && number < 15_400 ? ['Needle', 'naïve', 'thread', '針'][number % 4] : 'hay';
  return `line ${number} of a log that is long enough to be written: ${what} in a stack`;
};
const LOG = Array.from({ length: LINES }, (_, i) => `${lineOf(i)}\n`).join('');

const SEARCHES: readonly (TextQuery & { readonly hits: number })[] = [
  { text: 'needle', hits: 99 },
  { text: 'needle', caseSensitive: true, hits: 0 },
  { text: 'NAÏVE', hits: 100 },
  { text: '針', hits: 100 },
  { text: 'line 1538[0-9] .*: (needle|thread)', regex: true, hits: 5 },
  { text: 'thread', word: true, hits: 100 },
];

interface Opened {
  readonly engine: Engine;
  readonly view: number;
}

/** An engine with the log. */
async function opened(scouting: ScoutLimits): Promise<Opened> {
  settings.scouting = scouting;
  const engine = new Engine();
  const id = await engine.open(engine.file('hay.log', LOG));
  await until(async () => (await engine.source(id))?.state === 'following', 'the log');
  await engine.workspace.store.flushed();
  const { view } = await engine.ask('view.open', { query: {} });
  await until(() => engine.workspace.views.get(view).complete, 'the view');
  return { engine, view };
}

interface Hits {
  readonly hits: number;
  /** The rows of the first ones. */
  readonly rows: readonly (number | null)[];
}

/** Looks for a text in the log. */
async function hitsOf({ engine, view }: Opened, query: TextQuery): Promise<Hits> {
  engine.events.length = 0;
  await engine.ask('view.search', { view, search: query, near: 0 });
  const { hits } = await until(() => searched(engine, view), 'the end of the search');
  const rows: (number | null)[] = [];
  for (let row = 0; rows.length < 5; row = (rows.at(-1) ?? 0) + 1)
    rows.push((await engine.ask('view.nearest', { view, kind: 'hit', row, forward: true })).row);
  return { hits, rows };
}

/** The end of a search; null: it goes on. */
function searched(engine: Engine, view: number): SearchProgress | null {
  const last = engine.events.findLast(({ name }) => name === 'search.changed')?.data as ({ view: number } & SearchProgress) | undefined;
  return last?.view === view && last.complete && last.total === LINES ? last : null;
}

// On macOS, a file without a name cannot be opened again: searches read every record there.
describe.skipIf(process.platform !== 'linux')('a search of the window over records that were written', () => {
  let without: Opened;
  let scouted: Opened;
  const starts = (): number => vi.mocked(startRipgrep).mock.calls.length;

  beforeAll(async () => {
    without = await opened(NEVER);
    scouted = await opened(AT_ONCE);
  });
  afterAll(async () => {
    await without.engine.stop();
    await scouted.engine.stop();
  });

  it.each(SEARCHES)('finds by ripgrep the same as without: $text', async ({ hits, ...query }) => {
    const expected = await hitsOf(without, query);
    expect(expected.hits).toBe(hits);
    const before = starts();
    expect(await hitsOf(scouted, query)).toEqual(expected);
    await until(() => starts() > before, 'ripgrep');
  });
});
