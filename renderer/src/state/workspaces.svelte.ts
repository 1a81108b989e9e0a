import type { AllRequests, FilePlace, WindowPart, WorkspaceLook } from '../../../engine/api/types.ts';
import { isPast, movedOf, type PastSession } from '../lib/sources/past-session.ts';
import { isString, readSaved, writeSaved, type TextStore } from '../lib/sources/saved.ts';
import type { App } from './app.svelte.ts';

/** The workspace that is saved under a name, and the dialogs in which one is saved and opened. */
export class Workspaces {
  /** Empty: what is open has no name. */
  name = $state('');
  /** Whether it is asked for how to save it. */
  saving = $state(false);
  /** The workspace that is offered to be opened; null: none. */
  look = $state.raw<WorkspaceLook | null>(null);
  opening = $state(false);
  readonly #app: App;
  readonly #store: TextStore;
  /** Path of the workspace that is being written; null: none is. */
  #written: string | null = null;

  constructor(app: App, store: TextStore) {
    this.#app = app;
    this.#store = store;
    this.name = readSaved(store, 'workspace', '', isString);
    app.client.on('workspace', () => void this.fetchGiven());
    app.client.on('export', ({ path, state }) => {
      if (path === this.#written && state === 'done') this.#setName(nameOf(path));
    });
  }

  /** Offers the workspace that someone gave to the application. */
  async fetchGiven(): Promise<void> {
    const given = await this.#app.attempt(this.#app.client.request('shell.givenWorkspace', {}));
    if (given !== null) await this.offer(given.path);
  }

  /** Asks for a place, and saves what is open there. @param records which lines of the sources come along */
  async save(records: AllRequests['workspace.save']['in']['records']): Promise<void> {
    const { client } = this.#app;
    const chosen = await this.#app.attempt(client.request('shell.chooseWorkspace', { save: this.name || 'workspace' }));
    if (chosen === null) return;
    this.saving = false;
    this.#written = chosen.path;
    await this.#app.attempt(client.request('workspace.save', { path: chosen.path, records, window: this.windowPart() }));
  }

  /** Asks for a workspace, and offers it. */
  async choose(): Promise<void> {
    const chosen = await this.#app.attempt(this.#app.client.request('shell.chooseWorkspace', { save: null }));
    if (chosen !== null) await this.offer(chosen.path);
  }

  /** Reads what a workspace holds, and shows it. */
  async offer(path: string): Promise<void> {
    const look = await this.#app.attempt(this.#app.client.request('workspace.look', { path, places: [] }));
    if (look !== null) this.look = look;
  }

  /** Asks where a file of the offered workspace is, and looks for the others that were moved with it. */
  async find(path: string): Promise<void> {
    const { client } = this.#app;
    const found = await this.#app.attempt(client.request('shell.findFile', { name: path }));
    if (found === null || this.look === null) return;
    const places = [...movedOf(this.look.files), { path, place: found.path }];
    const look = await this.#app.attempt(client.request('workspace.look', { path: this.look.path, places }));
    if (look !== null && this.look?.path === look.path) this.look = look;
  }

  /** Opens the offered workspace. */
  async open(): Promise<void> {
    if (this.look !== null && (await this.#open(this.look.path, movedOf(this.look.files)))) this.look = null;
  }

  /** Goes back to what was open before the last workspace was opened. */
  async goBack(): Promise<void> {
    const before = await this.#app.attempt(this.#app.client.request('workspace.before', {}));
    if (before === null) return;
    if (before.path === null) this.#app.toasts.show('info', 'No workspace was opened yet: there is none to go back to.');
    else await this.#open(before.path, []);
  }

  /** @returns whether it is open */
  async #open(path: string, places: readonly FilePlace[]): Promise<boolean> {
    this.opening = true;
    try {
      return await this.#takeUp(path, places);
    } finally {
      this.opening = false;
    }
  }

  async #takeUp(path: string, places: readonly FilePlace[]): Promise<boolean> {
    const { client, query, highlighters, filterSets, recordGraphs, incident } = this.#app;
    const opened = await this.#app.attempt(client.request('workspace.open', { path, places: [...places], window: this.windowPart() }));
    if (opened === null) return false;
    const { window: part, files } = opened;
    this.#setName(opened.name === '' && isString(part['name']) ? part['name'] : opened.name);
    this.#app.prefs.adopt(part);
    if (isString(part['sql']) && part['sql'] !== '') query.give(part['sql']);
    const annotations = [highlighters.load(), filterSets.load(), recordGraphs.load(), incident.load()].map((asking) =>
      this.#app.attempt(asking),
    );
    await Promise.all([...annotations, query.readSaved()]);
    const there = (paths: readonly string[]): string[] => paths.map((one) => files.find((file) => file.path === one)?.place ?? one);
    const past = isPast(part['session']) ? part['session'] : null;
    if (past !== null) await this.#app.session.adopt({ ...past, files: there(past.files), only: there(past.only) });
    const missing = files.filter(({ place }) => place === null);
    if (missing.length > 0) this.#app.toasts.show('warning', `Not there, so not opened: ${missing.map((file) => file.path).join(', ')}`);
    return true;
  }

  /** State of the open sources as the window keeps it. */
  windowPart(): WindowPart {
    const { prefs, session, query, logs, engine } = this.#app;
    const { sources } = logs.filter;
    const only = engine.sources.filter(({ id }) => sources.includes(id)).map(({ location }) => location);
    const past: PastSession = { ...session.current(), only };
    return { ...prefs.ofWorkspace(), name: this.name, session: past, sql: query.sql };
  }

  #setName(name: string): void {
    this.name = name;
    writeSaved(this.#store, 'workspace', name);
  }
}

const nameOf = (path: string): string => (path.split(/[/\\]/).at(-1) ?? '').replace(/\.sluicebox$/i, '');
