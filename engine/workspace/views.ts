import type { PlanOf } from '../store/record-summaries.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { MeasureAnswer, MeasureQuery } from '../api/measure-types.ts';
import type { OperationQuery, Operations } from '../api/operation-types.ts';
import type { Overview } from '../api/overview-types.ts';
import type { LogPatterns } from '../api/pattern-types.ts';
import type { EngineEvents, RecordQuery, SortState, TextQuery, TickKind, Ticks } from '../api/types.ts';
import { EngineError } from '../base/errors.ts';
import { NO_CELLS } from '../store/cells.ts';
import { NO_ROWS } from '../store/query.ts';
import { AlarmFinder, LaterFinder, RecordFinder } from '../store/search/finders.ts';
import { nearestRow, type NearestRow } from '../store/nearest.ts';
import type { RecordStore } from '../store/record-store.ts';
import { ViewSearch } from '../store/search/search.ts';
import { ticksOf } from '../store/ticks.ts';
import { OperationCount } from '../store/operations.ts';
import { OverviewCount } from '../store/overview/overview-count.ts';
import { PatternCount } from '../store/pattern-count.ts';
import { isOfMoments, keptMoments } from '../store/measure/kept-moments.ts';
import { MeasureCount } from '../store/measure/measure-count.ts';
import type { SortColumn } from '../store/sort/sort-keys.ts';
import { ViewSort } from '../store/sort/view-sort.ts';
import { RecordView } from '../store/view.ts';
import { Rush } from '../base/time/rush.ts';
import { Throttle } from '../base/time/throttle.ts';
import { LIMITS, tooMany } from './common/limits.ts';

/** Milliseconds that the first answer may spend on counting: a click has it within 100, putting the numbers together and drawing them included. */
const COUNT_MS = 40;
/** The same for further answers. */
const COUNT_ON_MS = 150;
/** The same for those about operations: showing hundreds of them takes the window as long as counting a hundred thousand records. */
const OPERATIONS_MS = 300;

/** Least milliseconds between two change events of a view. */
const CHANGED_INTERVAL_MS = 34;
/** The same while records rush in. */
const RUSH_INTERVAL_MS = 300;

interface OpenView {
  readonly view: RecordView;
  readonly changed: Throttle;
  readonly rush: Rush;
  /** Records in the store at the last change event. */
  told: number;
  /** The question that is being answered. */
  measuring: { readonly query: string; readonly generation: number; readonly count: MeasureCount } | null;
  /** The fields that are or were counted. */
  overview: OverviewCount | null;
  /** The patterns that are being found. */
  patterns: PatternCount | null;
  /** The operations that are or were gathered. */
  operations: OperationCount | null;
  search: ViewSearch | null;
  sort: ViewSort | null;
  readonly searched: Throttle;
}

/** The hooks of the views. */
interface ViewHooks {
  readonly changed: (event: EngineEvents['view.changed']) => void;
  readonly searched: (event: EngineEvents['search.changed']) => void;
  readonly failed: (error: unknown) => void;
  /** Short name of a source. */
  readonly labelOf: (source: number) => string;
  /** The plan by which the summaries of a decoder's records are made. */
  readonly planOf: PlanOf;
  /** Numbers of the marked records, ascending. */
  readonly marked: () => readonly number[];
}

/** The views that windows have open, by number. */
export class ViewRegistry {
  readonly #store: RecordStore;
  readonly #hooks: ViewHooks;
  readonly #views = new Map<number, OpenView>();
  readonly #rules: LaterFinder;
  #nextId = 1;

  constructor(store: RecordStore, hooks: ViewHooks) {
    this.#store = store;
    this.#hooks = hooks;
    this.#rules = new LaterFinder(store);
  }

  /** @throws {EngineError} `limit.reached`, or when the query cannot be compiled */
  open(query: RecordQuery): number {
    if (this.#views.size >= LIMITS.views) throw tooMany('views', 'Reload the window.');
    const id = this.#nextId++;
    const changed = new Throttle(
      () => this.#tell(id),
      () => this.#intervalOf(id),
    );
    const searched = new Throttle(() => this.#tellSearch(id), CHANGED_INTERVAL_MS);
    const hear = (): void => {
      changed.request();
      this.#views.get(id)?.search?.wake();
      this.#views.get(id)?.sort?.wake();
    };
    const view = new RecordView(this.#store, query, hear, this.#hooks.failed);
    this.#views.set(id, {
      view,
      changed,
      rush: new Rush(CHANGED_INTERVAL_MS, RUSH_INTERVAL_MS),
      told: 0,
      measuring: null,
      overview: null,
      patterns: null,
      operations: null,
      search: null,
      sort: null,
      searched,
    });
    // After the reply with the view's number, which the window needs to know whose news it is.
    setImmediate(() => changed.request());
    return id;
  }

  /** @throws {EngineError} `view.unknown` */
  get(id: number): RecordView {
    return this.#find(id).view;
  }

  /**
   * Measures the records, or goes on; of a filter that has not gone over all records yet, none at first. Once all are measured, the next question begins anew.
   * @throws {EngineError} `view.unknown`
   */
  async measure(id: number, query: MeasureQuery): Promise<MeasureAnswer> {
    const found = this.#find(id);
    const { view } = found;
    if (isOfMoments(query)) return keptMoments(this.#store, view, query);
    if (!view.complete) {
      await delay(COUNT_MS);
      return { ...new MeasureCount(this.#store, view, query).answer(), complete: false };
    }
    const key = JSON.stringify(query);
    let { measuring } = found;
    const isFirst = measuring?.query !== key || measuring.generation !== view.generation;
    if (measuring === null || isFirst)
      found.measuring = measuring = { query: key, generation: view.generation, count: new MeasureCount(this.#store, view, query) };
    const { count } = measuring;
    await count.advance(isFirst ? COUNT_MS : COUNT_ON_MS);
    if (count.complete && found.measuring === measuring) found.measuring = null;
    return count.answer();
  }

  /**
   * Counts the fields, or goes on; of a filter that has not gone over all records yet, none at first. What was counted is kept until the view gets another query.
   * @param field tells this one alone
   * @param again begins anew
   * @throws {EngineError} `view.unknown`
   */
  async overview(id: number, values: number, field: string | null, again: boolean): Promise<Overview> {
    const found = this.#find(id);
    const { view } = found;
    if (!view.complete) {
      await delay(COUNT_MS);
      return { ...new OverviewCount(this.#store, view).overview(values), complete: false };
    }
    const isFirst = again || found.overview?.generation !== view.generation;
    const overview = isFirst ? new OverviewCount(this.#store, view) : (found.overview as OverviewCount);
    found.overview = overview;
    await overview.advance(isFirst ? COUNT_MS : COUNT_ON_MS);
    return overview.overview(values, field);
  }

  /**
   * Finds the patterns of the lines, or of the values of a variable, or goes on; of a filter that has not gone over all records yet, none at first.
   * @throws {EngineError} `view.unknown`
   */
  async patterns(id: number, limit: number, variable: string | null): Promise<LogPatterns> {
    const found = this.#find(id);
    const { view } = found;
    if (!view.complete) {
      await delay(COUNT_MS);
      return { ...new PatternCount(this.#store, view, variable).top(limit), complete: false };
    }
    let { patterns } = found;
    const isFirst = patterns?.generation !== view.generation || patterns.variable !== variable;
    if (patterns === null || isFirst) found.patterns = patterns = new PatternCount(this.#store, view, variable);
    await patterns.advance(isFirst ? COUNT_MS : COUNT_ON_MS);
    if (patterns.complete && found.patterns === patterns) found.patterns = null;
    return patterns.top(limit);
  }

  /**
   * Gathers the operations of the records, or goes on; of those that the view showed when it was first asked for this variable. Of a filter that has not
   * gone over all records yet, none at first.
   * @throws {EngineError} `view.unknown`
   */
  async operations(id: number, query: OperationQuery): Promise<Operations> {
    const found = this.#find(id);
    const { view } = found;
    if (!view.complete) {
      await delay(COUNT_MS);
      return { ...new OperationCount(this.#store, view, query.variable).list(query), complete: false };
    }
    const isFirst = found.operations?.variable !== query.variable;
    const operations = isFirst ? new OperationCount(this.#store, view, query.variable) : (found.operations as OperationCount);
    found.operations = operations;
    if (!operations.complete) await operations.advance(isFirst ? COUNT_MS : OPERATIONS_MS);
    return operations.list(query);
  }

  /**
   * Begins a search, or ends the one that is under way.
   * @throws {EngineError} `view.unknown`; `query.regex`: then nothing is searched any more
   */
  search(id: number, query: TextQuery, near: number): void {
    const found = this.#find(id);
    found.search?.close();
    found.search = null;
    if ((query.text ?? '') === '') return;
    found.search = new ViewSearch(this.#store, found.view, query, near, () => found.searched.request(), this.#hooks.failed);
  }

  /**
   * Sorts the rows by a column, or sorts in what came since; null: shows them in their own order.
   * @throws {EngineError} `view.unknown`
   */
  sort(id: number, column: SortColumn | null): void {
    const found = this.#find(id);
    const { view, changed, sort } = found;
    if (column !== null && sort !== null && sort.column.by === column.by && sort.column.down === column.down) return sort.again();
    sort?.close();
    found.sort = null;
    if (column !== null) {
      const { failed, labelOf, planOf } = this.#hooks;
      found.sort = new ViewSort({ store: this.#store, view, column, labelOf, planOf, changed: () => changed.request(), failed });
    }
    changed.request();
  }

  /** @throws {EngineError} `view.unknown` */
  async hits(id: number, row: number): Promise<{ before: number; hit: boolean }> {
    const { search } = this.#find(id);
    if (search === null) return { before: 0, hit: false };
    const before = await search.before(row);
    return { before, hit: (await search.before(row + 1)) > before };
  }

  /** @throws {EngineError} `view.unknown` */
  async nearest(id: number, kind: TickKind, row: number, forward: boolean): Promise<{ row: number | null; wrapped: boolean }> {
    return (await this.#nearest(this.#find(id), kind, row, forward)) ?? { row: null, wrapped: false };
  }

  /** @throws {EngineError} `view.unknown` */
  ticks(id: number, buckets: number): Ticks {
    const { view, search } = this.#find(id);
    return ticksOf(view, buckets, {
      hits: (entry) => search?.cells(entry) ?? NO_CELLS,
      hitRows: (entry) => (search === null ? NO_ROWS : search.rows(entry)),
      marks: this.#marks(),
      rules: (entry) => this.#rules.known(entry),
    });
  }

  #nearest({ view, search }: OpenView, kind: TickKind, row: number, forward: boolean): Promise<NearestRow | null> {
    if (kind === 'hit') return search?.nearest(row, forward) ?? Promise.resolve(null);
    const finder = kind === 'mark' ? this.#marks() : kind === 'rule' ? this.#rules : new AlarmFinder(kind);
    return nearestRow(this.#store, view, finder, row, forward);
  }

  #marks(): RecordFinder {
    return new RecordFinder(this.#hooks.marked());
  }

  /** Lookups have other answers. */
  lookupsRead(): void {
    for (const { view } of this.#views.values()) view.lookupsRead();
  }

  /** A source has been read to its end: the news that still wait are told soon. */
  atEnd(): void {
    for (const { changed } of this.#views.values()) if (changed.waiting) changed.request(CHANGED_INTERVAL_MS);
  }

  close(id: number): void {
    const found = this.#views.get(id);
    found?.search?.close();
    found?.sort?.close();
    found?.searched.stop();
    found?.view.close();
    found?.changed.stop();
    this.#views.delete(id);
  }

  closeAll(): void {
    for (const id of [...this.#views.keys()]) this.close(id);
  }

  #find(id: number): OpenView {
    const found = this.#views.get(id);
    if (!found) throw new EngineError('view.unknown', `There is no view ${id}.`);
    return found;
  }

  #intervalOf(id: number): number {
    const open = this.#views.get(id);
    return open === undefined ? CHANGED_INTERVAL_MS : open.rush.interval(this.#store.records - open.told);
  }

  #tell(id: number): void {
    const open = this.#views.get(id);
    if (!open) return;
    const { total, arrivals, isNearby, scanned, revision, fresh, facts } = open.view;
    const { records } = this.#store;
    open.told = records;
    this.#hooks.changed({
      view: id,
      total,
      nearby: isNearby,
      found: arrivals,
      scanned,
      records,
      revision,
      fresh,
      facts,
      sort: sortState(open, open.view.sorted === null ? 0 : arrivals - open.view.sorted.records),
    });
  }

  #tellSearch(id: number): void {
    const search = this.#views.get(id)?.search;
    if (search) this.#hooks.searched({ view: id, ...search.progress });
  }
}

/** @param newer rows that came after the others were sorted */
function sortState({ sort }: OpenView, newer: number): SortState | null {
  return sort === null ? null : { ...sort.column, sorting: sort.progress, newer };
}
