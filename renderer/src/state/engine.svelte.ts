import type { NoticeCode } from '../../../engine/api/notices.ts';
import { changedState } from '../../../engine/api/state-change.ts';
import type { EngineState, Notice, PluginInfo, ShellEvents, SourceInfo } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';
import { indexed } from '../lib/indexed.ts';
import { restLabel } from '../lib/notice-words.ts';
import { Paces } from '../lib/time/pace.ts';
import type { Toasts } from './toasts.svelte.ts';

export type EngineProcess = ShellEvents['engine'];

const NOTICES_KEPT = 500;
/** Milliseconds for which a notice is news: a slow machine takes so long to show the window. */
const NEWS_MS = 60_000;

/** The state of the engine: its process, sources, plugins and notices. */
export class Engine {
  state = $state.raw<EngineState | null>(null);
  process = $state.raw<EngineProcess>({ state: 'starting', reason: null });
  notices = $state.raw<readonly Notice[]>([]);
  /** Alerts that nobody has looked at. */
  unseen = $state(0);
  readonly sources = $derived<readonly SourceInfo[]>(this.state?.sources.filter((source) => source.state !== 'closed') ?? []);
  /** The filter scripts that have not read all records that there are. */
  readonly reading = $derived<readonly PluginInfo[]>(
    this.state?.plugins.filter(({ state, progress }) => state === 'starting' || (state === 'running' && progress !== null)) ?? [],
  );
  readonly behind = $derived(this.reading.length > 0);
  readonly #byId = $derived(indexed(this.state?.sources ?? [], ({ id }) => id));
  readonly #byOutput = $derived(indexed(this.state?.plugins ?? [], ({ name, source }) => outputKey(name, source)));
  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #paces = new Paces();
  #ownNotice = -1;
  /** Notices that were shown, of this process. */
  #told: { readonly pid: number; readonly ids: readonly number[] } = { pid: 0, ids: [] };
  /** Process number; notices are numbered anew in each. */
  pid = $state(0);
  /** Whether a notice is to be shown at once. */
  hear: (notice: Notice) => string | null = ({ text }) => text;
  #ready: () => void = () => undefined;

  constructor(client: Client, toasts: Toasts) {
    this.#client = client;
    this.#toasts = toasts;
  }

  /** Asks for everything, and listens from then on. @param ready called when an engine process answers that was not known before */
  start(ready: () => void): void {
    this.#ready = ready;
    // Changes of a process that has not answered yet are in its answer.
    this.#client.on('state', (change) => change.pid === this.state?.pid && this.#take(changedState(this.state, change)));
    this.#client.on('notice', (notice) => this.#notice(notice));
    this.#client.on('engine', (process) => {
      // The state of a failed process does not hold for the next one, whose views are opened when it answers.
      if (this.process.state === 'failed') this.state = null;
      this.process = process;
      if (process.state === 'running') void this.refresh();
      if (process.state === 'restarting') this.report('warning', 'engine.restarting', crashText(process.reason));
      if (process.state === 'failed') this.report('error', 'engine.failed', `The engine does not start. ${process.reason ?? ''}`.trim());
    });
    void this.refresh();
  }

  async refresh(): Promise<void> {
    try {
      this.#take(await this.#client.request('engine.state', {}));
      const known = await this.#client.request('notice.list', {});
      const own = this.notices.filter((notice) => notice.id < 0);
      this.notices = [...known, ...own].sort((a, b) => a.at - b.at);
      for (const notice of known) if (isNews(notice)) this.#tell(notice);
    } catch {
      // The process is not there yet; its `running` event comes back here.
      return;
    }
  }

  source(id: number): SourceInfo | undefined {
    return this.#byId.get(id);
  }

  /** The filter whose output is shown, of one source. */
  filter(plugin: string, source: number): PluginInfo | undefined {
    return this.#byOutput.get(outputKey(plugin, source));
  }

  /** Milliseconds until a source is read to its end; null: unknown. */
  timeLeft(source: SourceInfo): number | null {
    return this.#paces.get(source.id)?.timeLeft(source.totalBytes) ?? null;
  }

  /** Bytes a second at which a source is read; null: unknown. */
  byteRate(source: SourceInfo): number | null {
    return this.#paces.get(source.id)?.rate ?? null;
  }

  /** Says something as a toast and keeps it among the alerts. */
  report(level: Notice['level'], code: NoticeCode, text: string): void {
    this.#notice({ id: this.#ownNotice--, at: Date.now(), level, code, text, details: null, about: null });
  }

  #take(state: EngineState): void {
    const now = performance.now();
    for (const source of state.sources) this.#paces.add(source.id, now, source.bytes);
    this.state = state;
    if (state.pid === this.pid) return;
    this.pid = state.pid;
    this.process = { state: 'running', reason: null };
    this.#ready();
  }

  #notice(notice: Notice): void {
    if (this.notices.some((known) => known.id === notice.id)) return;
    this.notices = [...this.notices, notice].slice(-NOTICES_KEPT);
    this.#tell(notice);
  }

  /** Shows a notice as a toast, once. */
  #tell(notice: Notice): void {
    const told = this.#told.pid === this.pid ? this.#told.ids : [];
    if (told.includes(notice.id)) return;
    this.#told = { pid: this.pid, ids: [...told, notice.id].slice(-NOTICES_KEPT) };
    const text = this.hear(notice);
    if (text === null) return;
    if (notice.level !== 'info' && notice.code === 'alert') this.unseen++;
    const rest = notice.about?.rest;
    this.#toasts.show(notice.level, text, rest === undefined ? null : { label: restLabel(rest), run: () => void this.openRest(rest.path) });
  }

  /** Opens further logs of a folder. */
  async openRest(path: string): Promise<void> {
    try {
      await this.#client.request('source.open', { paths: [path] });
    } catch (error) {
      this.report('error', 'request.failed', errorText(error));
    }
  }
}

const outputKey = (plugin: string, source: number | null): string => `${source} ${plugin}`;

/** Whether a notice that was said before the window listened is to be shown like a new one. */
const isNews = ({ level, at }: Notice): boolean => level !== 'info' && Date.now() - at < NEWS_MS;

function crashText(reason: string | null): string {
  const then = 'Files and what was received are read again from disk. If records are missing then, their number is said.';
  return `The engine stopped and is restarted. ${then}${reason === null ? '' : ` (${reason})`}`;
}
