import type { ExportFormat, ExportInfo } from '../../../engine/api/types.ts';
import { exportName } from '../lib/export-name.ts';
import { toQuery, type Filter } from '../lib/filter/filter.ts';
import { plural } from '../lib/format.ts';
import { Paces } from '../lib/time/pace.ts';
import type { App } from './app.svelte.ts';

/** The running exports. */
export class Exports {
  running = $state.raw<readonly ExportInfo[]>([]);
  readonly #app: App;
  readonly #paces = new Paces();

  constructor(app: App) {
    this.#app = app;
    app.client.on('export', (info) => this.#take(info));
    app.client.on('engine', ({ state }) => {
      if (state === 'restarting' || state === 'failed') this.#lose();
    });
  }

  /** Asks for a file, and writes records into it. @param filter of the records; absent: that of the Logs view */
  async start(format: ExportFormat, filter: Filter = this.#app.logs.filter): Promise<void> {
    const { client, engine, columns } = this.#app;
    const shown = engine.sources.filter(({ id }) => filter.sources.length === 0 || filter.sources.includes(id));
    const name = exportName(
      shown.map(({ label }) => label),
      format,
    );
    const chosen = await this.#app.attempt(client.request('shell.chooseExport', { name, format }));
    if (chosen === null) return;
    const request = { query: toQuery(filter), format, columns: [...columns.names], path: chosen.path };
    await this.#app.attempt(client.request('export.start', request));
  }

  async cancel(id: number): Promise<void> {
    await this.#app.attempt(this.#app.client.request('export.cancel', { id }));
  }

  /** Milliseconds until it is written; null: unknown. */
  timeLeft({ id, total }: ExportInfo): number | null {
    return this.#paces.get(id)?.timeLeft(total) ?? null;
  }

  /** Exports end with their engine process, and no later one tells of them. */
  #lose(): void {
    for (const { path } of this.running)
      this.#app.engine.report(
        'error',
        'export.failed',
        `${path} was not written: the engine stopped. Begin again; the file beside it whose name ends in .part can be removed.`,
      );
    this.running = [];
  }

  #take(info: ExportInfo): void {
    const others = this.running.filter(({ id }) => id !== info.id);
    this.running = info.state === 'running' ? [...others, info] : others;
    this.#paces.add(info.id, performance.now(), info.written);
    const isWorkspace = info.what === 'byte';
    if (info.state === 'done')
      this.#app.toasts.show('info', isWorkspace ? `Saved as ${info.path}.` : `${plural(info.written, info.what)} written to ${info.path}.`);
    if (info.state === 'canceled')
      this.#app.toasts.show('info', `The ${isWorkspace ? 'workspace was not saved' : 'export was canceled'}. ${info.path} is as it was.`);
    if (info.state === 'failed')
      this.#app.engine.report('error', 'export.failed', `${info.path} could not be written: ${info.problem ?? 'no reason was given'}`);
  }
}
