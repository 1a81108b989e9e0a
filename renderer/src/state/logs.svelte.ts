import type { AllEvents, ViewFacts } from '../../../engine/api/types.ts';
import { columnVariable } from '../../../engine/api/columns.ts';
import type { Client, QueryProblem } from '../lib/api.ts';
import { NO_FILTER, isEmpty, sameTerm, showsSource, withTerm, type Filter, type FilterTerm } from '../lib/filter/filter.ts';
import { firstFilter } from '../lib/sources/past-session.ts';
import { writeSaved, type TextStore } from '../lib/sources/saved.ts';
import { applyFilter, openView } from './filter/apply-filter.ts';
import { Detail } from './detail.svelte.ts';
import type { Places, Target } from './places.ts';
import type { Prefs } from './prefs.svelte.ts';
import type { Fetched } from '../lib/table/row-feed.ts';
import type { Rows, TableRow } from './rows.svelte.ts';
import { Scan } from './filter/scan.svelte.ts';
import { Search } from './filter/search.svelte.ts';
import { Side } from './side.svelte.ts';
import { Sort } from './sort.svelte.ts';
import type { Selection } from './selection.svelte.ts';
import { Timeline } from './timeline.svelte.ts';

const TYPING_MS = 180;
const NO_FACTS: ViewFacts = { span: null, severities: 'none', sources: [], type: null, texts: true, fractions: true, alike: {} };

interface LogsOptions {
  readonly client: Client;
  readonly prefs: Prefs;
  readonly store: TextStore;
  /** Fields that the table shows. */
  readonly columns: () => readonly string[];
  /** Facts that rows tell beside them. */
  readonly more: () => readonly ('summary' | 'since')[];
  /** The variable of the histogram's layers; null: severities. */
  readonly stackBy: () => string | null;
  readonly failed: (error: unknown) => void;
}

/** The Logs view: one view of the engine, its filter, and its visible rows, at one place or at two. */
export class Logs {
  filter = $state.raw<Filter>(NO_FILTER);
  /** The reason why a part of the filter cannot be applied; the others are. */
  problem = $state.raw<QueryProblem | null>(null);
  /** The filter that `problem` is about; null: the engine has not judged any. */
  #judged: Filter | null = null;
  /** The filter that was left to look around a record. */
  left = $state.raw<Filter | null>(null);
  /** Of the records that are shown, or of those before while there are none. */
  facts = $state.raw<ViewFacts>(NO_FACTS);
  /** Sources of the records that are shown. While a filter looks for its records, those of the records before count as well: columns come and go once. */
  shownSources = $state.raw<readonly number[]>([]);
  /** Rises when other records are shown: of another filter, engine or source, or decoded differently. */
  others = $state(0);
  readonly filtered = $derived(!isEmpty(this.filter));
  /** Progress of the filter. */
  readonly scan = new Scan();
  readonly first: Side;
  /** A second place in the same records; null: there is one alone. */
  second = $state.raw<Side | null>(null);
  #active = $state.raw() as Side;
  readonly sides = $derived.by(() => (this.second === null ? [this.first] : [this.first, this.second]));
  readonly detail: Detail;
  readonly timeline: Timeline;
  readonly search: Search;
  readonly sort: Sort;
  readonly #client: Client;
  readonly #store: TextStore;
  readonly #columns: () => readonly string[];
  readonly #more: LogsOptions['more'];
  readonly #failed: (error: unknown) => void;
  readonly #makeSide: (following: boolean, prefix: string) => Side;
  #view: number | null = null;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  /** Sources that were open at the last look; null: there was none. */
  #sources: readonly number[] | null = null;
  /** Counts the views that were asked for. */
  #opened = 0;
  /** The last event of the view. */
  #told: AllEvents['view.changed'] | null = null;
  #begunAnew = false;

  constructor({ client, prefs, store, columns, more, stackBy, failed }: LogsOptions) {
    this.#client = client;
    this.#store = store;
    this.#columns = columns;
    this.#more = more;
    this.#failed = failed;
    this.filter = firstFilter(store);
    this.detail = new Detail(client);
    const view = (): number | null => this.#view;
    this.#makeSide = (following, prefix) =>
      new Side({
        client,
        view,
        fetch: (start, count) => this.#fetch(start, count),
        detail: this.detail,
        scan: this.scan,
        following,
        prefix,
        leads: (side) => side === this.active,
        failed,
      });
    this.first = this.#makeSide(prefs.follow, '');
    this.#active = this.first;
    this.sort = new Sort({ client, view, sides: () => this.sides, failed });
    this.search = new Search({
      client,
      store,
      view,
      here: () => this.selection.cursor ?? this.rows.shown.first,
      cursor: () => this.selection.cursor,
      nearest: (row, forward) => this.places.nearest('hit', row, forward),
      goTo: (row) => this.places.goToRow(row),
      changed: () => this.updateTicks(),
      failed,
    });
    this.timeline = new Timeline({
      client,
      view: () => (prefs.histogram ? this.#view : null),
      range: () => this.filter,
      by: stackBy,
      failed,
    });
    client.on('view.changed', (change) => {
      if (change.view === this.#view) this.#take(change);
    });
  }

  get active(): Side {
    return this.#active;
  }

  /** A place of the two is used: commands and the inspector are about it. */
  activate(side: Side): void {
    if (side === this.#active) return;
    this.#active.rest();
    this.#active = side;
    side.wake();
  }

  get rows(): Rows {
    return this.active.rows;
  }

  get selection(): Selection {
    return this.active.selection;
  }

  get places(): Places {
    return this.active.places;
  }

  /** Shows a second place in the records, which begins as the first one, or closes it. */
  split(on = this.second === null): void {
    if (on === (this.second !== null)) return;
    if (on) {
      this.second = this.#makeSide(this.first.rows.following, 'second-');
      this.second.copy(this.first);
      this.activate(this.second);
    } else {
      this.activate(this.first);
      this.second = null;
    }
  }

  /** Says that marks or hits are others. */
  updateTicks(): void {
    for (const { ticks } of this.sides) ticks.update();
  }

  /** Number of its view; null: the engine has none. */
  get view(): number | null {
    return this.#view;
  }

  /** Opens the view: at the start, when a new engine process knows nothing of the old one, and anew for a filter that comes before the first answer. */
  async open(): Promise<void> {
    const opened = ++this.#opened;
    // Answers of the view before are passed over.
    this.#asked++;
    this.#view = null;
    this.scan.restart();
    this.#told = null;
    // Records are numbered anew.
    this.filter = { ...this.filter, after: null };
    if (this.left !== null) this.left = { ...this.left, after: null };
    for (const { rows } of this.sides) rows.reset();
    const { filter } = this;
    const { view, problem } = await openView(this.#client, filter);
    if (opened !== this.#opened) {
      if (view !== null) void this.#client.request('view.close', { view }).catch(() => undefined);
      return;
    }
    this.#judge(filter, problem);
    this.#view = view;
    if (view === null) return;
    this.others++;
    this.search.restart();
    this.sort.restart();
    await this.#measure();
  }

  /** Changes parts of the filter. @param typing more may follow at once: waits a moment */
  change(part: Partial<Filter>, typing = false): void {
    this.filter = { ...this.filter, ...part };
    this.left = null;
    clearTimeout(this.#typing);
    if (typing) this.#typing = setTimeout(() => void this.#apply(), TYPING_MS);
    else void this.#apply();
  }

  /** Shows only records that arrive from now on. */
  async clearView(): Promise<void> {
    try {
      const { last } = await this.#client.request('record.last', {});
      if (last !== null) this.change({ after: last });
      this.rows.follow(true);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Whether the engine has judged what stands in the box now. */
  get draftJudged(): boolean {
    return this.#judged !== null && sameTerm(this.#judged.draft.term, this.filter.draft.term);
  }

  /** Filters by one more, or by one of the stack again. */
  add(term: FilterTerm): void {
    this.change(withTerm(this.filter, term));
  }

  clearFilter(): void {
    this.change(NO_FILTER);
  }

  /** Shows the selected record among all others, until `backToFilter`. */
  showInContext(): void {
    const { cursor } = this.selection;
    if (cursor === null) return;
    this.rows.goTo(cursor);
    void this.#leave(this.rows.get(cursor));
  }

  backToFilter(): void {
    if (this.left !== null) this.change(this.left);
  }

  /** Shows this source alone; the only one that is shown, shown again, shows all. @param add keeps the others */
  showSource(id: number, add = false): void {
    const shown = this.filter.sources;
    const others = shown.filter((source) => source !== id);
    if (add) this.change({ sources: shown.includes(id) ? others : [...shown, id] });
    else this.change({ sources: shown.length === 1 && shown[0] === id ? [] : [id] });
  }

  /** Sources were closed: neither the filter nor the inspector names them any more. One that was made just now may not be among the open ones yet. */
  keepSources(open: readonly number[]): void {
    const known = this.#sources;
    this.#sources = open;
    const isThere = (id: number): boolean => open.includes(id) || (known !== null && !known.includes(id));
    const left = this.left === null ? null : namingOnly(this.left, isThere);
    const { sources } = namingOnly(this.filter, isThere);
    if (sources.length < this.filter.sources.length) this.change({ sources });
    this.left = left === null || isEmpty(left) ? null : left;
    if (this.detail.record !== null && !isThere(this.detail.record.source)) this.detail.show(null);
  }

  /** Columns of the table changed: the rows have other values. */
  columnsChanged(): void {
    for (const { rows } of this.sides) rows.invalidate();
  }

  /** Says that rules have other hits. */
  hitsChanged(): void {
    this.columnsChanged();
    this.updateTicks();
    this.detail.refresh();
    this.timeline.update();
  }

  /** Says that shown records may be decoded differently now. */
  refresh(): void {
    this.others++;
    this.columnsChanged();
    this.detail.refresh();
    this.timeline.update();
  }

  /** Number of the record under the cursor. */
  get selectedRecord(): number | null {
    const { cursor } = this.selection;
    return cursor === null ? null : (this.rows.get(cursor)?.id ?? this.detail.record?.id ?? null);
  }

  /** Goes to a record; when the filter hides it, without the filter, until `backToFilter`. */
  async goToRecord(id: number, time: number): Promise<void> {
    const view = await this.places.whole();
    if (view === null) return;
    try {
      const { row } = await this.#client.request('view.locate', { view, id });
      if (row !== null) return this.places.goToRow(row);
    } catch (error) {
      this.#failed(error);
      return;
    }
    if (isEmpty(this.filter)) return;
    this.rows.follow(false);
    this.detail.show(id);
    await this.#leave({ id, time });
  }

  /** Shows all records, with this one among them, until `backToFilter`. */
  async #leave(record: Target | undefined): Promise<void> {
    const { filter } = this;
    clearTimeout(this.#typing);
    this.filter = NO_FILTER;
    this.left = filter;
    await this.#apply(record);
  }

  /** Shows only one source, at a time, without the filter; until `backToFilter`. */
  async goToSource(source: number, time: number): Promise<void> {
    const { filter } = this;
    clearTimeout(this.#typing);
    this.filter = { ...NO_FILTER, sources: [source] };
    this.left = isEmpty(filter) ? null : filter;
    await this.#apply();
    await this.places.goToTime(time);
  }

  /** Rows from `start`, in pieces that the engine allows. */
  async *read(start: number, end: number): AsyncGenerator<readonly TableRow[]> {
    const piece = 1000;
    for (let at = start; at < end; at += piece) yield (await this.#fetch(at, Math.min(piece, end - at))).rows;
  }

  /** Records from `start` on as text: as many as fit, of those that are wanted. */
  text(start: number, count: number, format: 'raw' | 'json'): Promise<{ text: string; count: number }> {
    if (this.#view === null) return Promise.resolve({ text: '', count: 0 });
    return this.#client.request('view.text', { view: this.#view, start, count, format });
  }

  #take(change: AllEvents['view.changed']): void {
    // The view was started again: a source was decoded differently or closed.
    const isAnew = change.scanned < this.scan.scanned;
    if (isAnew) this.#begunAnew = true;
    const { moved, whole } = this.scan.take(change);
    // As many records of another source are others all the same.
    if (isAnew || this.#told?.facts.sources.some((id) => !change.facts.sources.includes(id)) === true) this.others++;
    this.#learn(change.facts);
    this.#told = change;
    for (const side of this.sides) side.take(change, moved);
    this.timeline.update();
    if (whole) this.#settle();
  }

  /** Does what waits for a filter that has gone over all records. */
  #settle(): void {
    if (this.#begunAnew) this.detail.refresh();
    this.#begunAnew = false;
  }

  #learn(facts: ViewFacts): void {
    if (facts.span === null) return;
    const isWhole = this.scan.settled && this.scan.isCurrent;
    const others = isWhole ? [] : this.shownSources.filter((id) => !facts.sources.includes(id));
    const sources = [...others, ...facts.sources];
    if (sources.join() !== this.shownSources.join()) this.shownSources = sources;
    if (JSON.stringify(facts) !== JSON.stringify(this.facts)) this.facts = facts;
  }

  /** @param comeBack the record to show then; absent: that of the inspector */
  async #apply(comeBack?: Target): Promise<void> {
    writeSaved(this.#store, 'filter', this.filter);
    if (this.#view === null) return this.open();
    const asked = ++this.#asked;
    const { record } = this.detail;
    // Set before the request: the engine may have scanned everything before the answer arrives.
    const near = this.active.leave(comeBack);
    for (const side of this.sides) if (side !== this.active) side.leave(undefined);
    if (record !== null && !showsSource(this.filter, record.source)) this.detail.show(null);
    this.scan.begin();
    const isWanted = (): boolean => asked === this.#asked;
    const { filter } = this;
    const { since, problem } = await applyFilter(this.#client, this.#view, filter, near, isWanted);
    if (!isWanted()) return;
    this.#judge(filter, problem);
    this.others++;
    for (const side of this.sides) side.begin();
    if (this.scan.applied(since)) this.#settle();
    // It may have been told before the answer.
    if (this.scan.isCurrent && this.#told !== null) for (const side of this.sides) side.show(this.#told);
    await this.#measure();
  }

  #judge(filter: Filter, problem: QueryProblem | null): void {
    this.#judged = filter;
    this.problem = problem;
  }

  /** Requests only the length, in case no event comes. */
  async #measure(): Promise<void> {
    try {
      const { total } = await this.#fetch(0, 0);
      for (const { rows } of this.sides) rows.setTotal(total);
      this.timeline.update();
    } catch (error) {
      this.#failed(error);
    }
  }

  async #fetch(start: number, count: number): Promise<Fetched<TableRow>> {
    if (this.#view === null) return { total: 0, start, rows: [] };
    const columns = [...this.#columns()];
    const variables = columns.map(columnVariable);
    const reply = await this.#client.request('view.rows', { view: this.#view, start, count, columns: variables, more: [...this.#more()] });
    this.#learn(reply.facts);
    return { ...reply, rows: reply.rows.map((row) => ({ ...row, columns })) };
  }
}

/** A filter that names no other sources than those that are there. */
const namingOnly = (filter: Filter, isThere: (id: number) => boolean): Filter => ({ ...filter, sources: filter.sources.filter(isThere) });
