import type { CommandId } from '../../../engine/api/commands.ts';
import type { Question, SchemaLogger } from '../../../engine/api/types.ts';
import type { OverviewPart, ViewName } from '../../../engine/api/views.ts';
import { errorText, RequestError, type Client } from '../lib/api.ts';
import { byMatcher, toQuery, type FilterTerm } from '../lib/filter/filter.ts';
import { isDialogOpen } from '../lib/dialogs.ts';
import { namedFields } from '../lib/filter/named-fields.ts';
import { withFields } from '../lib/filter/highlighter.ts';
import { runCommand } from './commands.ts';
import { RankHistories } from '../lib/charts/rank-history.ts';
import type { TextStore } from '../lib/sources/saved.ts';
import { Alerts } from './alerts.svelte.ts';
import { Assistants } from './assistants.svelte.ts';
import { Builder, type BuilderPlace } from './builder.svelte.ts';
import { Columns } from './columns.svelte.ts';
import { Engine } from './engine.svelte.ts';
import { Exports } from './exports.svelte.ts';
import { FilterBox } from './filter/filter-box.svelte.ts';
import { Lookups } from './filter/lookups.svelte.ts';
import { FilterSets } from './filter/filter-sets.svelte.ts';
import { GraphAlerts } from './graph-alerts.svelte.ts';
import { IncidentPage } from './incident.svelte.ts';
import { Highlighters } from './highlighters.svelte.ts';
import { Logs } from './logs.svelte.ts';
import { Marks } from './marks.svelte.ts';
import { Comparing } from './comparison.svelte.ts';
import { NewAlert } from './new-alert.svelte.ts';
import { OperationList } from './operations.svelte.ts';
import { Outputs } from './outputs.svelte.ts';
import { Panes } from './panes.svelte.ts';
import { OverviewPage } from './overview.svelte.ts';
import { Plugins } from './plugins.svelte.ts';
import { Prefs } from './prefs.svelte.ts';
import { Rules } from './rules.svelte.ts';
import { RawPage } from './raw-page.svelte.ts';
import { QueryPage } from './query.svelte.ts';
import { RecordLinks } from './record-links.svelte.ts';
import { RecordGraphs } from './record-graphs.svelte.ts';
import { Session } from './session.svelte.ts';
import { Sources } from './sources.svelte.ts';
import { TimeLink } from './time-link.svelte.ts';
import { Toasts } from './toasts.svelte.ts';
import { Workspaces } from './workspaces.svelte.ts';
import { columnVariable } from '../../../engine/api/columns.ts';
import { shownSources, withAhead } from '../lib/table/ahead.ts';
import { dropField, foldedColumns, putField, type TableFacts } from '../lib/table/table-layout.ts';
import { undecodedFile } from '../lib/sources/source-state.ts';
import { ruleSchema } from '../lib/sources/rule-schema.ts';
import { steady } from '../lib/time/steady.ts';
import { variablesOf } from '../lib/sources/schema-facts.ts';
import { timeForm } from '../../../engine/api/time/time.ts';

export type Overlay = 'palette' | 'keys' | 'path' | 'cluster' | null;

/** The state of the window, and the actions on it. */
export class App {
  readonly client: Client;
  readonly prefs: Prefs;
  readonly toasts = new Toasts(isDialogOpen);
  readonly engine: Engine;
  readonly logs: Logs;
  readonly columns: Columns;
  readonly outputs: Outputs;
  readonly plugins: Plugins;
  readonly alerts: Alerts;
  readonly exports: Exports;
  readonly query: QueryPage;
  readonly overview: OverviewPage;
  readonly operations: OperationList;
  readonly builder: Builder;
  readonly lookups: Lookups;
  readonly marks: Marks;
  readonly highlighters: Highlighters;
  readonly incident: IncidentPage;
  readonly session: Session;
  readonly assistants: Assistants;
  readonly recordLinks: RecordLinks;
  readonly sources = new Sources(this);
  readonly workspaces: Workspaces;
  readonly filterBox: FilterBox;
  readonly panes: Panes;
  readonly filterSets: FilterSets;
  readonly recordGraphs: RecordGraphs;
  readonly graphAlerts: GraphAlerts;
  readonly newAlert = new NewAlert(this);
  readonly comparing = new Comparing(this);
  readonly rules: Rules;
  readonly ranks = new RankHistories();
  readonly timeLink = new TimeLink();
  overlay = $state<Overlay>(null);
  /** The question of the shell that waits for its answer; null: none does. */
  asking = $state<string | null>(null);
  /** The question of the bar above the records, in the place of the search: the place to go to, or the name of a set of filters. */
  asked = $state<'place' | 'setName' | null>(null);
  /** Records of a file on the way to its end, or its lines, in place of those that were read. */
  raw = $state.raw<RawPage | null>(null);
  readonly #columns = (): readonly string[] => withFields(this.columns.names, this.highlighters.list);
  /** Name of the control that is to take the focus; the count tells requests apart. */
  focusWish = $state.raw<{ readonly on: string; readonly count: number }>({ on: '', count: 0 });

  readonly #sameFacts = steady<TableFacts>();
  /** Of the records that are shown, with those that are read ahead. */
  readonly facts = $derived.by(() => withAhead(this.logs.facts, this.raw?.records ?? []));
  readonly tableFacts = $derived.by(() => {
    const { severities, span, type, texts, fractions, alike } = this.facts;
    const shown = this.columns.sources;
    return this.#sameFacts({
      sources: shown.length,
      nameLength: Math.max(0, ...shown.map(({ label }) => label.length)),
      severities,
      time: timeForm(span, this.prefs.zone),
      type,
      texts,
      fractions,
      alike,
    });
  });

  /** The columns that say nothing about the records that are shown. */
  readonly foldedColumns = $derived.by(() => foldedColumns(this.columns.layout, this.tableFacts));

  /** The schema of the records, with the fields that they have by rules. */
  readonly schema = $derived.by((): readonly SchemaLogger[] => {
    const schema = this.outputs.schema.value ?? [];
    if (!this.rules.on) return schema;
    const titles = (this.rules.state?.rules ?? []).filter(({ hits }) => hits > 0).map(({ title }) => title);
    return [...schema, ruleSchema(titles, this.rules.progress.hits)];
  });

  /** The variables that a filter can name, with the values that were seen. */
  readonly variables = $derived.by(() => variablesOf(this.schema, this.logs.facts.severities !== 'none'));

  constructor(client: Client, store: TextStore) {
    this.client = client;
    this.rules = new Rules(this);
    this.prefs = new Prefs(store);
    this.engine = new Engine(client, this.toasts);
    this.alerts = new Alerts({ client, engine: this.engine, prefs: this.prefs, store });
    this.engine.hear = (notice) => this.alerts.hear(notice);
    const failed = (error: unknown): void => this.fail(error);
    this.lookups = new Lookups(client);
    this.marks = new Marks(client, () => this.logs.updateTicks(), failed);
    this.highlighters = new Highlighters(client);
    this.logs = new Logs({
      client,
      prefs: this.prefs,
      store,
      columns: this.#columns,
      more: () => this.columns.more,
      stackBy: () => this.columns.stackBy,
      failed,
    });
    this.columns = new Columns({
      prefs: this.prefs,
      engine: this.engine,
      shown: () => shownSources(this.logs.shownSources, this.raw, this.logs.filter.sources),
      named: () => namedFields(this.logs.filter),
      severities: () => this.logs.facts.severities === 'many',
      list: () => this.logs.filter,
    });
    this.filterBox = new FilterBox(this.logs, () => this.variables, this.lookups);
    this.filterSets = new FilterSets(client, failed);
    this.recordGraphs = new RecordGraphs(client, failed);
    this.outputs = new Outputs(client);
    this.plugins = new Plugins(this, store);
    this.graphAlerts = new GraphAlerts(this);
    this.exports = new Exports(this);
    this.query = new QueryPage(this, store);
    this.overview = new OverviewPage(client, this.logs);
    this.operations = new OperationList(client);
    this.builder = new Builder(client, () => this.logs.filter);
    this.panes = new Panes(this);
    this.session = new Session(this, store);
    this.assistants = new Assistants(this);
    this.recordLinks = new RecordLinks(this);
    this.incident = new IncidentPage(this);
    this.workspaces = new Workspaces(this, store);
  }

  start(): void {
    void this.lookups.load();
    this.client.on('command', ({ id }) => {
      if (id.startsWith('zoom.') || !isDialogOpen()) this.run(id);
    });
    this.client.on('alert', ({ id }) => {
      if (this.alerts.troubles.some((notice) => notice.id === id)) this.showTroubles();
      else this.show('alerts');
      this.focus(`alert ${id}`);
    });
    this.client.on('asking', ({ message }) => (this.asking = message));
    this.client.on('desktopSilent', () =>
      this.engine.report('info', 'shell.notify', 'The notifications of this desktop do not answer: alerts are shown only here.'),
    );
    this.client.on('recordsGone', ({ label, records }) =>
      this.engine.report(
        'warning',
        'records.gone',
        `${records.toLocaleString('en-US')} ${records === 1 ? 'record' : 'records'} of ${label} from before the engine stopped are not there any more.`,
      ),
    );
    this.engine.start(() => {
      void this.logs.open();
      void this.marks.load();
      void this.attempt(this.highlighters.load());
      void this.attempt(this.filterSets.load());
      void this.attempt(this.recordGraphs.load());
      void this.attempt(this.incident.load());
      void this.attempt(this.assistants.load());
      void this.attempt(this.rules.load());
      this.outputs.restart();
    });
    void this.workspaces.fetchGiven();
    void this.recordLinks.fetchGiven();
  }

  /** Shows an error: as a toast, and among the alerts. Views end with the engine's process, and are opened anew with the next one. */
  fail(error: unknown): void {
    if (error instanceof RequestError && error.code === 'view.unknown') return;
    this.engine.report('error', 'request.failed', errorText(error));
  }

  /** Asks, and shows the error if it comes. @returns null then */
  async attempt<T>(asking: Promise<T>): Promise<T | null> {
    try {
      return await asking;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  show(view: ViewName): void {
    this.prefs.view = view;
    if (view !== 'alerts') return;
    this.engine.unseen = 0;
    // It says the same.
    this.toasts.clear();
  }

  /** Shows what the program itself could not do. */
  showTroubles(): void {
    this.plugins.closeIfSaved();
    this.show('scripts');
    this.focus('troubles');
  }

  /** Shows a part of the overview. */
  showOverview(part: OverviewPart): void {
    this.prefs.overview = part;
    this.show('overview');
    this.focus(`part ${part}`);
  }

  focus(on: string): void {
    this.focusWish = { on, count: this.focusWish.count + 1 };
  }

  /**
   * Shows the end of the file that is shown alone and not read yet: its last records, decoded before those in front of them.
   * @param time the first records at or after it instead, if it is later than all that was read
   * @returns whether there is such a file
   */
  showAhead(time?: number): boolean {
    const { filter, sort, facts, problem, active, first } = this.logs;
    // The end is drawn over the first place.
    if (active !== first) return false;
    const source = undecodedFile(this.engine.sources, filter.sources);
    if (source === null || sort.column !== null || problem !== null || filter.after !== null) return false;
    if (time !== undefined && time <= (facts.span?.to ?? Infinity)) return false;
    this.raw = new RawPage(this.client, source.id, { query: toQuery(filter), columns: this.#columns, more: () => this.columns.more });
    if (time === undefined) this.raw.end();
    else this.raw.time(time);
    return true;
  }

  async copy(text: string, what: string): Promise<void> {
    const done = await this.attempt(this.client.request('shell.copy', { text }).then(() => true));
    if (done) this.toasts.show('info', `${what} copied`);
  }

  /** Whether a field is one of the columns, and not folded away. */
  showsColumn(name: string): boolean {
    return this.columns.has(name) && !this.foldedColumns.some(({ key }) => key === columnVariable(name));
  }

  addColumn(name: string): void {
    this.columns.set(putField(this.columns.layout, name, this.columns.lengths));
  }

  removeColumn(name: string): void {
    this.columns.set(dropField(this.columns.layout, name));
  }

  /** Asks a question about the records that the filter shows. @param focus the control of the builder that takes the focus */
  ask(question: Question, place: BuilderPlace, focus: string | null = null): void {
    if (place === 'pane') this.prefs.inspector = { ...this.prefs.inspector, open: true };
    this.show(place === 'pane' ? 'logs' : 'charts');
    this.builder.ask(question, place);
    if (question.display === 'timeline') [this.operations.chosen, this.operations.text] = [question.by[0] ?? null, ''];
    if (focus !== null) this.focus(`builder ${focus}`);
  }

  /** Whether a timeline by a variable is known to say nothing of the records that are shown: none has it, or each has a value of its own. */
  isVainTimeline(variable: string): boolean {
    const { filter, scan } = this.logs;
    return this.overview.single.includes(variable) || this.operations.vainOf(toQuery(filter), scan.found).includes(variable);
  }

  /** Shows the patterns of the values of a variable. */
  showPatterns(variable: string): void {
    this.overview.findPatterns(variable);
    this.showOverview('patterns');
  }

  /** Shows the records that their decoder refused. @param source of this source alone */
  showFailures(source?: number): void {
    if (source !== undefined) this.logs.change({ sources: [source] });
    this.filterBy('not decoded', 'Fields[decode_failure] == TRUE');
  }

  /** Adds a filter to the stack and shows the result. @param out hides the records instead */
  filterBy(label: string, expression: string, out = false): void {
    this.filterByTerm(byMatcher(label, expression, out));
  }

  filterByTerm(term: FilterTerm): void {
    this.logs.add(term);
    this.show('logs');
  }

  /** Shows the records of one source that a matcher selects. */
  showSelected(matcher: string, source: number | null): void {
    if (source !== null) this.logs.change({ sources: [source] });
    this.filterBy(matcher, matcher);
  }

  /** Shows the graphs or lists of a filter, in their view. @param time milliseconds that graphs show from near; null: they stay as they are */
  async showGraphsOf(plugin: string, time: number | null = null): Promise<void> {
    const graphs = (await this.attempt(this.client.request('graph.list', {}))) ?? [];
    const items = (await this.attempt(this.client.request('items.list', {}))) ?? [];
    const graph = graphs.find((candidate) => candidate.plugin === plugin);
    if (graph === undefined && !items.some((table) => table.plugin === plugin)) {
      this.toasts.show('info', `${plugin} has drawn and counted nothing that could be shown.`);
      return;
    }
    if (graph !== undefined && time !== null) this.timeLink.showAround(time, graph);
    if (graph === undefined) this.showOverview('items');
    else this.show('charts');
    this.focus(`output ${plugin}`);
  }

  /** Marks the selected record, or takes its mark away. */
  async toggleMark(): Promise<void> {
    const record = this.logs.selectedRecord;
    if (record !== null) await this.marks.toggle(record);
  }

  /** Shows or hides the list of marks, which stands in the place of the inspector. */
  toggleMarks(): void {
    this.marks.open = !this.marks.open;
    if (this.marks.open) {
      if (this.builder.inPane) this.builder.close();
      this.prefs.inspector = { ...this.prefs.inspector, open: true };
    }
  }

  /** Goes to the next error or warning among the records that are shown, or to the one before. */
  async stepAlarm(kind: 'error' | 'warning', forward: boolean): Promise<void> {
    if (!(await this.logs.places.step(kind, forward)))
      this.toasts.show('info', `No record that is shown is ${kind === 'error' ? 'an error' : 'a warning'}.`);
  }

  /** Goes to the next record that is shown of which a rule is true, or to the one before. */
  async stepRule(forward: boolean): Promise<void> {
    if (await this.logs.places.step('rule', forward)) return;
    const none = this.rules.on ? 'No record that is shown is a hit of a rule.' : 'There are no rules: Alerts has a place for them.';
    this.toasts.show('info', none);
  }

  /** Rules have other hits than before. */
  hitsChanged(): void {
    this.logs.hitsChanged();
    this.recordGraphs.showHits(this.rules.progress.hits > 0);
  }

  /** Makes everything larger or smaller by a step; 0: of the usual size. */
  async zoom(step: -1 | 0 | 1): Promise<void> {
    await this.attempt(this.client.request('shell.zoom', { step }));
  }

  /** Goes to the next mark among the records that are shown, or to the one before. */
  async stepMark(forward: boolean): Promise<void> {
    if (await this.logs.places.step('mark', forward)) return;
    this.toasts.show('info', this.marks.list.length === 0 ? 'No record is marked.' : 'No marked record is among those that are shown.');
  }

  async goToTime(time: number): Promise<void> {
    this.show('logs');
    await this.logs.places.goToTime(time);
  }

  /** Runs a command of the table, unless it is disabled now. */
  run(id: CommandId): void {
    runCommand(id, this);
  }
}
