import { untrack } from 'svelte';
import type { FileLook, FilePlace, SourceInfo } from '../../../engine/api/types.ts';
import { movedOf, movedSession, readPast, SESSION, type PastSession, type Place } from '../lib/sources/past-session.ts';
import { writeSaved, type TextStore } from '../lib/sources/saved.ts';
import type { App } from './app.svelte.ts';
import type { Side } from './side.svelte.ts';

/** Milliseconds after which what has changed is saved. */
const SAVE_MS = 400;

/**
 * Keeps the open files from one start to the next. The session before is offered; its filter, place and ranges come back when all of its files are open again, whoever opened
 * them. It is forgotten when another file is opened instead.
 */
export class Session {
  /** The session before, while it has not come back. */
  past = $state.raw<PastSession | null>(null);
  /** Whether its files are being opened. */
  opening = $state(false);
  /** Its files, when some of them are not where they were; null: they are, or nobody has asked for them. */
  look = $state.raw<readonly FileLook[] | null>(null);
  readonly #app: App;
  readonly #store: TextStore;
  /** The places to go to when the files were read. */
  #places: readonly { readonly side: Side; readonly place: Place }[] = [];
  #saving: ReturnType<typeof setTimeout> | undefined;

  constructor(app: App, store: TextStore) {
    this.#app = app;
    this.#store = store;
    this.past = readPast(store);
  }

  /** With those that end because the engine does, which someone has not closed. */
  readonly #sources = $derived.by(() => this.#app.engine.state?.sources ?? []);
  readonly #files = $derived.by(() => this.#sources.filter(({ kind }) => kind === 'file'));

  /** Follows what is open, and saves it; to be called where effects may run. */
  keep(): void {
    $effect(() => {
      const open = this.#sources.map(({ id }) => id);
      if (this.#app.engine.state !== null) untrack(() => this.#app.logs.keepSources(open));
    });
    $effect(() => {
      const files = this.#files;
      void [this.#app.logs.scan.settled, this.#app.logs.scan.records];
      untrack(() => this.#follow(files));
    });
    $effect(() => {
      const { logs, timeLink } = this.#app;
      void [this.#files.length, logs.filter, ...logs.sides.map(placeOf), timeLink.range, timeLink.last];
      clearTimeout(this.#saving);
      this.#saving = setTimeout(() => this.#save(), SAVE_MS);
    });
    window.addEventListener('pagehide', () => this.#save());
  }

  /** Opens the files of the session before, or shows which of them are not where they were. */
  async open(): Promise<void> {
    if (this.past === null) return;
    this.opening = true;
    const files = await this.#whereabouts([]);
    if (files?.every(({ path, place }) => path === place) === true) await this.#openFiles(files);
    else this.look = files;
    this.opening = false;
  }

  /** Asks where a file of the session before is, and looks for the others that were moved with it. */
  async find(path: string): Promise<void> {
    const found = await this.#app.attempt(this.#app.client.request('shell.findFile', { name: path }));
    if (found === null || this.look === null) return;
    this.look = (await this.#whereabouts([...movedOf(this.look), { path, place: found.path }])) ?? this.look;
  }

  /** Opens what was found of the session before. */
  async openFound(): Promise<void> {
    if (this.look === null) return;
    this.opening = true;
    if (await this.#openFiles(this.look)) this.look = null;
    this.opening = false;
  }

  async #whereabouts(places: readonly FilePlace[]): Promise<readonly FileLook[] | null> {
    const paths = [...(this.past?.files ?? [])];
    return (await this.#app.attempt(this.#app.client.request('source.whereabouts', { paths, places: [...places] })))?.files ?? null;
  }

  /** @returns whether they are open */
  async #openFiles(files: readonly FileLook[]): Promise<boolean> {
    if (this.past === null) return false;
    const before = this.past;
    // The view comes back when these are open.
    this.past = movedSession(before, files);
    const request = { paths: [...this.past.files], moved: movedOf(files) };
    const opened = await this.#app.attempt(this.#app.client.request('source.open', request));
    if (opened === null) this.past = before;
    return opened !== null;
  }

  /** Takes up what a workspace was left with, whose sources are open. */
  async adopt(past: PastSession): Promise<void> {
    await this.#app.engine.refresh();
    this.#restore(past, this.#sources);
    this.#follow(this.#files);
  }

  /** The files that are open now, and the view of them. */
  current(): PastSession {
    const { logs, timeLink } = this.#app;
    const { filter, first, second } = logs;
    return {
      files: this.#files.map(({ location }) => location),
      filter: { ...filter, sources: [], after: null },
      only: this.#files.filter(({ id }) => filter.sources.includes(id)).map(({ location }) => location),
      place: placeOf(first),
      ...(second !== null && { second: { place: placeOf(second) } }),
      range: timeLink.range,
      last: timeLink.last,
    };
  }

  /** Forgets the session before. */
  forget(): void {
    this.past = null;
    this.#save();
  }

  #follow(files: readonly SourceInfo[]): void {
    const { past } = this;
    if (past !== null && files.length > 0) {
      if (files.some(({ location }) => !past.files.includes(location))) this.past = null;
      else if (past.files.every((path) => files.some(({ location }) => location === path))) this.#restore(past, files);
    }
    const isRead = files.every(({ state }) => state !== 'opening' && state !== 'reading');
    // The view is told of records a little later than of the end of their file.
    const isTold = this.#app.logs.scan.records >= files.reduce((sum, { records }) => sum + records, 0);
    if (this.#places.length > 0 && isRead && isTold) void this.#goBack();
  }

  #restore(past: PastSession, files: readonly SourceInfo[]): void {
    const { logs, timeLink } = this.#app;
    this.past = null;
    logs.split(past.second !== undefined);
    logs.activate(logs.first);
    const wanted = [past.place, past.second?.place ?? null];
    this.#places = logs.sides.flatMap((side, at) => {
      const place = wanted[at] ?? null;
      return place === null ? [] : [{ side, place }];
    });
    const sources = files.filter(({ location }) => past.only.includes(location)).map(({ id }) => id);
    logs.change({ ...past.filter, sources, after: null });
    if (past.range !== null) timeLink.zoom(past.range.from, past.range.to);
    else if (past.last !== null) timeLink.showLast(past.last);
    else timeLink.reset();
    for (const { side } of this.#places) side.rows.follow(false);
  }

  async #goBack(): Promise<void> {
    if (!this.#app.logs.scan.settled) return;
    const places = this.#places;
    this.#places = [];
    await Promise.all(places.map(({ side, place }) => side.places.returnTo(place)));
  }

  #save(): void {
    clearTimeout(this.#saving);
    // The session before is not replaced by an empty one.
    if (this.past !== null || this.#places.length > 0) return;
    writeSaved(this.#store, SESSION, this.current());
  }
}

/** The first row on the screen, and its time; null: the table follows the end. */
function placeOf({ rows }: Side): Place | null {
  const [first] = rows.shown.rows;
  return rows.following || first === undefined ? null : { row: rows.shown.first, time: first.time };
}
