import type { WatchReport } from '../../../engine/api/types.ts';
import type { App } from './app.svelte.ts';

/** Opens, changes and closes sources, and holds the dialogs in which that is done. */
export class Sources {
  readonly #app: App;
  /** The path with which its dialog opens. */
  typedPath = $state('');
  /** The kind of source that the dialog for a new one is open for. */
  adding = $state<'command' | 'listen' | null>(null);
  /** The source whose decoder is being chosen. */
  decoderOf = $state<number | null>(null);
  /** The decoder that is offered first there; null: the one that it has. */
  decoderOffer = $state<string | null>(null);
  /** The source whose times are being set. */
  timesOf = $state<number | null>(null);
  /** The report of the watched parts of this machine, while it is shown. */
  watchReport = $state.raw<WatchReport | null>(null);

  constructor(app: App) {
    this.#app = app;
  }

  /** Lets files be chosen, or a folder. */
  async openFiles(folder = false): Promise<void> {
    this.#leaveSettings(await this.#app.attempt(this.#app.client.request('shell.open', { folder })));
  }

  /** Shows the records of what was opened there. */
  #leaveSettings(answer: { readonly opened: readonly number[] } | null): void {
    if (answer !== null && answer.opened.length > 0 && this.#app.prefs.view === 'settings') this.#app.show('logs');
  }

  /** Opens the dialog for a typed path. @param text what is typed there */
  typePath(text = ''): void {
    this.typedPath = text;
    this.#app.overlay = 'path';
  }

  async openPaths(paths: string[]): Promise<void> {
    if (paths.length > 0) await this.#app.attempt(this.#app.client.request('source.open', { paths }));
  }

  async openSample(name: 'access' | 'syslog'): Promise<void> {
    await this.#app.attempt(this.#app.client.request('shell.openSample', { name }));
  }

  /** Watches this machine. Parts that cannot be read are shown with the reasons. */
  async watchWorkstation(): Promise<void> {
    const report = await this.#app.attempt(this.#app.client.request('workstation.watch', {}));
    if (report === null) return;
    const read = report.items.filter(({ reason }) => reason === null);
    if (read.length > 0) this.#app.show('charts');
    if (read.length < report.items.length) this.watchReport = report;
    else this.#app.toasts.show('info', `Watching ${read.map(({ name }) => name.toLowerCase()).join(', ')}.`);
  }

  async watchEngine(): Promise<void> {
    if ((await this.#app.attempt(this.#app.client.request('engine.watch', {}))) !== null) this.#app.show('charts');
  }

  async showWatched(): Promise<void> {
    this.watchReport = await this.#app.attempt(this.#app.client.request('workstation.about', {}));
  }

  async pause(id: number): Promise<void> {
    await this.#app.attempt(this.#app.client.request('source.pause', { id }));
  }

  /** Resumes a stopped source, or runs its command again. */
  async resume(id: number): Promise<void> {
    await this.#app.attempt(this.#app.client.request('source.resume', { id }));
  }

  async close(id: number): Promise<void> {
    await this.#app.attempt(this.#app.client.request('source.close', { id }));
    if (this.#app.logs.filter.sources.includes(id)) this.#app.logs.showSource(id, true);
  }

  /** Opens the dialog of decoders. @param offer the one that is chosen there first */
  chooseDecoder(id: number, offer: string | null = null): void {
    this.decoderOffer = offer;
    this.decoderOf = id;
  }

  async setDecoder(id: number, decoder: string | null, config?: Record<string, string | number | boolean>): Promise<boolean> {
    const asked = this.#app.client.request('source.decoder', { id, decoder, config });
    const done = (await this.#app.attempt(asked.then(() => true))) ?? false;
    this.#app.logs.refresh();
    return done;
  }
}
