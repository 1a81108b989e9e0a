import { errorText, type Client } from '../api.ts';
import { commandById, isEnabled } from '../commands.ts';
import type { TextStore } from '../saved.ts';
import { Columns } from './columns.svelte.ts';
import { Engine } from './engine.svelte.ts';
import { Logs } from './logs.svelte.ts';
import { Outputs } from './outputs.svelte.ts';
import { Prefs, type ViewName } from './prefs.svelte.ts';
import { TimeLink } from './time-link.svelte.ts';
import { Toasts } from './toasts.svelte.ts';
import { dropField, putField, type TableFacts } from '../table-layout.ts';

export type Overlay = 'palette' | 'keys' | null;

/** Everything that the window knows, and what can be done with it. */
export class App {
  readonly client: Client;
  readonly prefs: Prefs;
  readonly toasts = new Toasts();
  readonly engine: Engine;
  readonly logs: Logs;
  readonly columns: Columns;
  readonly outputs: Outputs;
  readonly timeLink = new TimeLink();
  overlay = $state<Overlay>(null);
  /** The source whose decoder is being chosen. */
  decoderOf = $state<number | null>(null);
  /** Names of controls that asked for the focus, by a count that tells one wish from the next. */
  focusWish = $state.raw<{ readonly on: string; readonly count: number }>({ on: '', count: 0 });

  get tableFacts(): TableFacts {
    return { sources: this.engine.sources.length, severities: this.logs.severities };
  }

  constructor(client: Client, store: TextStore) {
    this.client = client;
    this.prefs = new Prefs(store);
    this.engine = new Engine(client, this.toasts);
    const failed = (error: unknown): void => this.fail(error);
    const columns = (): readonly string[] => this.columns.names;
    this.logs = new Logs({ client, prefs: this.prefs, store, columns, stackBy: () => this.columns.stackBy, failed });
    this.columns = new Columns(
      this.prefs,
      this.engine,
      () => this.logs.filter.sources,
      () => this.logs.severities,
    );
    this.outputs = new Outputs(client);
  }

  start(): void {
    this.client.on('command', ({ id }) => this.run(id));
    this.engine.start(() => {
      void this.logs.open();
      this.outputs.restart();
    });
  }

  /** Shows an error: as a toast, and among the alerts. */
  fail(error: unknown): void {
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
    if (view === 'alerts') this.engine.unseen = 0;
  }

  focus(on: string): void {
    this.focusWish = { on, count: this.focusWish.count + 1 };
  }

  async openFiles(): Promise<void> {
    await this.attempt(this.client.request('shell.open', {}));
  }

  async openPaths(paths: string[]): Promise<void> {
    if (paths.length > 0) await this.attempt(this.client.request('source.open', { paths }));
  }

  async openSample(name: 'access' | 'syslog'): Promise<void> {
    await this.attempt(this.client.request('shell.openSample', { name }));
  }

  async closeSource(id: number): Promise<void> {
    await this.attempt(this.client.request('source.close', { id }));
    if (this.logs.filter.sources.includes(id)) this.logs.showSource(id, true);
  }

  async setDecoder(id: number, decoder: string | null, config?: Record<string, string | number | boolean>): Promise<boolean> {
    const asked = this.client.request('source.decoder', { id, decoder, ...(config !== undefined && { config }) });
    const done = (await this.attempt(asked.then(() => true))) ?? false;
    this.logs.refresh();
    return done;
  }

  async copy(text: string, what: string): Promise<void> {
    const done = await this.attempt(this.client.request('shell.copy', { text }).then(() => true));
    if (done) this.toasts.show('info', `${what} copied`);
  }

  addColumn(name: string): void {
    this.columns.set(putField(this.columns.layout, name));
  }

  removeColumn(name: string): void {
    this.columns.set(dropField(this.columns.layout, name));
  }

  /** Counts the values of a variable over the records that the filter shows. */
  countBy(variable: string, name: string): void {
    this.prefs.inspector = { ...this.prefs.inspector, open: true };
    this.show('logs');
    this.logs.top.show(variable, name);
  }

  /** Shows the records that their decoder refused. @param source of this source alone */
  showFailures(source?: number): void {
    if (source !== undefined) this.logs.change({ sources: [source] });
    this.filterBy('not decoded', 'Fields[decode_failure] == TRUE');
  }

  /** Filters by a condition and shows what is left. */
  filterBy(label: string, expression: string): void {
    this.logs.addCondition(label, expression);
    this.show('logs');
  }

  async goToTime(time: number): Promise<void> {
    this.show('logs');
    await this.logs.goToTime(time);
  }

  /** Runs a command of the table by its id; an id that is not there does nothing. */
  run(id: string): void {
    const command = commandById(id);
    if (command !== undefined && isEnabled(command, this)) command.run(this);
  }
}
