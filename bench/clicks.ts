import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineEvents, MeasureQuery, RecordQuery } from '../engine/api/types.ts';
import { startEngine, type BenchEngine } from './engine.ts';
import { generatedLog } from './logs.ts';
import { treeCpuSeconds } from './processes.ts';
import { percentile, progress, type Benchmark, type Figure } from './report.ts';
import { folder } from './samples.ts';

/** Times of the option for lines: the goals are those of five million records. */
const TIMES = 5;
/** Times that each click is done, with another value each time. */
const CLICKS = 12;
/** Milliseconds between clicks, in which what the one before began may go on. */
const PAUSE_MS = 150;
const ROWS = 60;
const COLUMNS = ['Fields[status]', 'Fields[request]'];
/** Width of the window in bars and in parts of the picture beside the scroll bar. */
const BARS = 300;
const TICKS = 800;

/** The request of a click; `done` goes on until the answer is whole, and is timed apart. */
interface Click {
  readonly what: string;
  readonly answer: (i: number) => Promise<unknown>;
  readonly done?: (i: number) => Promise<unknown>;
  readonly times?: number;
}

/** The requests behind what people click on, of the engine of the window with a large log. */
export const clicksBenchmark: Benchmark = {
  name: 'clicks',
  title: 'From a click to its first answer, and to the whole one: milliseconds of 95 % of the clicks',
  async run({ lines }) {
    const count = lines * TIMES;
    const { path } = generatedLog('access', count);
    const data = join(folder, 'clicks');
    rmSync(data, { recursive: true, force: true });
    const engine = await startEngine(data);
    try {
      const screen = new Screen(engine);
      await screen.read(path, count);
      const figures: Figure[] = [];
      for (const click of clicksOn(screen)) figures.push(...(await measure(engine, click)));
      return figures;
    } finally {
      await engine.stop();
      rmSync(data, { recursive: true, force: true });
      rmSync(path, { force: true });
    }
  },
};

async function measure(engine: BenchEngine, { what, answer, done, times = CLICKS }: Click): Promise<Figure[]> {
  const [first, whole, used, usedInAll]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let i = 0; i < times; i++) {
    progress(`${what} ${i + 1}`);
    const [began, cpu] = [performance.now(), treeCpuSeconds(engine.pid)];
    await answer(i);
    first.push(performance.now() - began);
    used.push((treeCpuSeconds(engine.pid) - cpu) * 1000);
    await done?.(i);
    whole.push(performance.now() - began);
    usedInAll.push((treeCpuSeconds(engine.pid) - cpu) * 1000);
    await delay(PAUSE_MS);
  }
  const ms = (values: readonly number[], percent: number): number => percentile(values, percent);
  const noteOf = (times: readonly number[], cpu: readonly number[]): string =>
    `median ${ms(times, 50).toFixed(1)}, ${ms(cpu, 50).toFixed(0)} ms of processor`;
  const figure: Figure = { what, value: ms(first, 95), unit: 'ms', note: noteOf(first, used) };
  return done === undefined
    ? [figure]
    : [figure, { what: `${what}, whole`, value: ms(whole, 95), unit: 'ms', note: noteOf(whole, usedInAll) }];
}

type Changed = EngineEvents['view.changed'];

/** The part of the log that the window shows: its view, and what is asked of it. */
class Screen {
  readonly ask: BenchEngine['request'];
  readonly #open: (path: string) => Promise<void>;
  #view = -1;
  #revision = -1;
  #last: Changed | null = null;
  #changed: () => void = () => undefined;
  total = 0;

  constructor(engine: BenchEngine) {
    this.ask = (name, input) => engine.request(name, input);
    this.#open = (path) => engine.open(path);
    engine.onEvent((name, data) => {
      if (name !== 'view.changed') return;
      this.#last = data as Changed;
      this.#changed();
    });
  }

  get view(): { readonly view: number } {
    return { view: this.#view };
  }

  /** Opens a log and waits until its records and filters are at rest. */
  async read(path: string, records: number): Promise<void> {
    await this.#open(path);
    for (;;) {
      const { sources, plugins } = await this.ask('engine.state', {});
      const read = sources.reduce((sum, one) => sum + one.records, 0);
      progress(`${read.toLocaleString('en')} records`);
      if (read >= records && plugins.every(({ progress: share }) => share === null)) break;
      await delay(500);
    }
    await this.open({});
    await this.whole();
  }

  /** Opens a view; resolves when its first rows are there. */
  async open(query: RecordQuery): Promise<void> {
    if (this.#view !== -1) await this.ask('view.close', this.view);
    this.#view = (await this.ask('view.open', { query })).view;
    this.#revision = -1;
    await this.#firstRows();
  }

  /** Shows other records; resolves when the first of them are there. */
  async query(query: RecordQuery): Promise<void> {
    this.#revision = (await this.ask('view.query', { ...this.view, query, near: 0 })).revision;
    await this.#firstRows();
  }

  async #firstRows(): Promise<void> {
    const isThere = ({ total, scanned, records }: Changed): boolean => total > 0 || scanned >= records;
    if (this.#revision === -1) {
      await this.rows(0);
      if (this.total > 0) return;
    }
    await this.#until(isThere);
    await this.rows(0);
  }

  async rows(start: number): Promise<void> {
    this.total = (await this.ask('view.rows', { ...this.view, start, count: ROWS, columns: COLUMNS })).total;
  }

  /** Waits until all records were looked at. */
  whole(): Promise<void> {
    return this.#until(({ scanned, records }) => scanned >= records);
  }

  async sort(by: string, down: boolean): Promise<void> {
    await this.ask('view.sort', { ...this.view, column: { by, down } });
    await this.rows(0);
  }

  /** Waits until the rows are sorted. */
  sorted(): Promise<void> {
    return this.#until(({ sort }) => sort?.sorting === null);
  }

  /** Waits until the last event of the view says so. */
  async #until(is: (event: Changed) => boolean): Promise<void> {
    const isSo = (): boolean => {
      const last = this.#last;
      return last !== null && last.view === this.#view && last.revision >= this.#revision && is(last);
    };
    while (!isSo()) await new Promise<void>((resolve) => (this.#changed = resolve));
  }
}

function clicksOn(screen: Screen): Click[] {
  const { ask } = screen;
  const until = async (one: () => Promise<{ complete: boolean }>): Promise<void> => {
    while (!(await one()).complete);
  };
  const histogram = (by?: string): Promise<{ complete: boolean }> => ask('view.histogram', { ...screen.view, buckets: BARS, by });
  const heat = (): Promise<{ complete: boolean }> =>
    ask('view.heat', { ...screen.view, buckets: 120, rows: 24, variable: 'Fields[body_bytes_sent]' });
  const measure = (query: Pick<MeasureQuery, 'measures' | 'of' | 'by' | 'over'>): Promise<{ complete: boolean }> =>
    ask('view.measure', { ...screen.view, ...query, measures: [...query.measures], by: [...query.by], limit: 100 });
  const numbers = (): Promise<{ complete: boolean }> =>
    measure({ measures: ['average', 'min', 'max'], of: 'Fields[body_bytes_sent]', by: [], over: { buckets: BARS } });
  const percentiles = (): Promise<{ complete: boolean }> =>
    measure({ measures: ['p50', 'p95', 'p99'], of: 'Fields[body_bytes_sent]', by: [], over: { buckets: BARS } });
  const top = (i: number): Promise<{ complete: boolean }> =>
    measure({
      measures: ['count'],
      of: null,
      by: [['Fields[status]', 'Fields[remote_addr]', 'Fields[request]'][i % 3] as string],
      over: null,
    });
  const patterns = (): Promise<{ complete: boolean }> => ask('view.patterns', { ...screen.view, limit: 100 });
  const overview = (again?: boolean): Promise<{ complete: boolean }> => ask('view.overview', { ...screen.view, values: 20, again });
  const reset = (): Promise<void> => screen.query({}).then(() => screen.whole());
  const filter = (what: string, queryOf: (i: number) => RecordQuery): Click => ({
    what: `filter by ${what}`,
    answer: (i) => screen.query(queryOf(i)),
    done: () => screen.whole(),
    times: 6,
  });
  return [
    { what: 'rows somewhere else', answer: (i) => screen.rows(Math.floor((screen.total * ((i * 7) % CLICKS)) / CLICKS)) },
    { what: 'find a time', answer: (i) => ask('view.seek', { ...screen.view, time: Date.UTC(2026, 10, 1, i * 5) }) },
    { what: 'find a record', answer: (i) => ask('view.locate', { ...screen.view, id: i * 1000 }) },
    { what: 'bars by level', answer: () => histogram() },
    { what: 'bars by status', answer: () => histogram('Fields[status]'), done: () => until(() => histogram('Fields[status]')), times: 3 },
    { what: 'picture beside the scroll bar', answer: () => ask('view.ticks', { ...screen.view, buckets: TICKS }) },
    { what: 'a number over time', answer: numbers, done: () => until(numbers), times: 3 },
    { what: 'percentiles of a number over time', answer: percentiles, done: () => until(percentiles), times: 3 },
    { what: 'heat map', answer: heat, done: () => until(heat), times: 3 },
    { what: 'commonest values', answer: top, done: (i) => until(() => top(i)), times: 3 },
    { what: 'patterns', answer: patterns, done: () => until(patterns), times: 1 },
    { what: 'overview', answer: () => overview(true), done: () => until(overview), times: 3 },
    { what: 'open a view', answer: () => screen.open({}), done: () => screen.whole(), times: 6 },
    filter('field', (i) => ({ matcher: `Fields[status] == ${[404, 500, 301, 200, 403, 503][i % 6]}` })),
    filter('text', (i) => ({ text: `static/${i + 40}.js` })),
    filter('range', (i) => ({ matcher: `Fields[body_bytes_sent] >= ${i * 900} && Fields[body_bytes_sent] < ${i * 900 + 500}` })),
    { what: 'all records again', answer: () => screen.query({}), done: () => screen.whole(), times: 3 },
    { what: 'sort', answer: (i) => screen.sort('Fields[body_bytes_sent]', i % 2 === 0), done: () => screen.sorted(), times: 2 },
    { what: 'in their own order again', answer: () => ask('view.sort', { ...screen.view, column: null }), done: reset, times: 1 },
  ];
}
