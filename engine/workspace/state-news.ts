import type { Sandboxes } from '../plugins/starter.ts';
import { Rush } from '../base/time/rush.ts';
import { Throttle } from '../base/time/throttle.ts';
import type { OpenSources } from './sources/open-sources.ts';
import type { WorkspaceFilters } from './filters/plugins.ts';
import type { Source } from './sources/source.ts';
import type { EngineState, PluginInfo, SourceInfo, StateChange } from '../api/types.ts';
import { PartNews } from './part-news.ts';

/** Least milliseconds between two pushes of the state. */
const STATE_INTERVAL_MS = 250;
/** Characters of changes that the window takes up in a millisecond of its pause, and the longest pause: hundreds of sources with their filters are much to copy and to draw. */
const [CHARACTERS_A_MS, LONGEST_MS] = [250, 2500];
/** Milliseconds between two polls: rates are updated, sandboxes report, and graphs of a file that is being read are refreshed. */
const POLL_MS = 1000;
/** Sandboxes of sources with at most QUIET_RATE records a second are polled only every QUIET_POLLS polls, and memory is measured as seldom when there is no other source. */
const QUIET_RATE = 5;
const QUIET_POLLS = 4;

export interface StateNewsOptions {
  readonly sources: OpenSources;
  readonly filters: WorkspaceFilters;
  readonly sandboxes: Pick<Sandboxes, 'memory'>;
  readonly emit: (change: StateChange) => void;
}

/** Pushes what changed in the state of the engine to the window, at a limited rate; polls the plugins for their part of it. */
export class StateNews {
  readonly #options: StateNewsOptions;
  readonly #throttle = new Throttle(
    () => this.#push(),
    () => this.#pause,
  );
  readonly #rush = new Rush(STATE_INTERVAL_MS, STATE_INTERVAL_MS);
  /** Records that came since the last push. */
  #fresh = 0;
  readonly #poll = setInterval(() => void this.#ask(), POLL_MS).unref();
  #polls = 0;
  readonly #sources = new PartNews<SourceInfo>();
  readonly #plugins = new PartNews<PluginInfo>();
  /** The sums that were told last. */
  #last = '';
  /** Characters of the last change. */
  #characters = 0;
  #memory = process.memoryUsage.rss();

  constructor(options: StateNewsOptions) {
    this.#options = options;
  }

  /** The state as it is now. */
  now(): EngineState {
    const all = this.#options.sources.all();
    const sources = this.#sources.look(all.map((source) => source.info()));
    const plugins = this.#plugins.look([...all.flatMap((source) => source.decoderInfos()), ...this.#options.filters.infos()]);
    const sum = (of: (info: SourceInfo) => number): number => sources.reduce((total, info) => total + of(info), 0);
    const live = all.some(({ isLive }) => isLive);
    return {
      pid: process.pid,
      sources,
      plugins,
      records: sum((info) => info.records),
      rate: sum((info) => info.rate),
      queued: all.reduce((total, source) => total + source.queued, 0),
      dropped: sum((info) => info.dropped),
      failures: sum((info) => info.failures),
      memory: this.#memory,
      clock: live ? 'live' : sources.some(({ kind }) => kind === 'file') ? 'replay' : 'idle',
    };
  }

  /** Says that the state may have changed: it is pushed soon. */
  changed(): void {
    this.#throttle.request();
  }

  /** Says that so many records were counted. */
  counted(records: number): void {
    this.#fresh += records;
    this.#throttle.request(Math.max(this.#pause, this.#rush.interval(this.#fresh)));
  }

  /** Pushes the state at once, if it is another one: somebody waits for it. */
  tell(): void {
    this.#push();
  }

  /** Ends the polling of plugins; changes are still pushed. */
  stopPolling(): void {
    clearInterval(this.#poll);
  }

  stop(): void {
    this.stopPolling();
    this.#throttle.stop();
  }

  /** Milliseconds between two pushes of changes that are as large as the last one. */
  get #pause(): number {
    return Math.min(LONGEST_MS, Math.max(STATE_INTERVAL_MS, this.#characters / CHARACTERS_A_MS));
  }

  #push(): void {
    this.#fresh = 0;
    const { sources: _sources, plugins: _plugins, ...sums } = this.now();
    // The memory changes all the time: only steps of 4 MiB count as a change.
    const text = JSON.stringify({ ...sums, memory: Math.round(sums.memory / 2 ** 22) });
    if (text === this.#last && !this.#sources.isNew && !this.#plugins.isNew) return;
    this.#last = text;
    const [sources, plugins] = [this.#sources.take(), this.#plugins.take()];
    this.#characters = sources.characters + plugins.characters;
    this.#options.emit({ ...sums, sources: sources.changes, plugins: plugins.changes });
  }

  async #ask(): Promise<void> {
    const { sources, filters, sandboxes } = this.#options;
    // Polling costs more than processing a few records a second.
    const all = this.#polls++ % QUIET_POLLS === 0;
    const isDue = (source: Source): boolean => all || source.info().rate > QUIET_RATE;
    const due = sources.all().filter(isDue);
    if (all || due.length > 0) this.#memory = await sandboxes.memory().catch(() => process.memoryUsage.rss());
    await Promise.all([filters.poll(isDue), ...due.map((source) => source.poll())]);
    for (const source of sources.all()) {
      if (source.clock === 'wall' ? all : source.isLive || source.info().state === 'reading') filters.refresh(source);
    }
    this.#throttle.request(POLL_MS);
  }
}
