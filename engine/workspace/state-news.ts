import type { Sandboxes } from '../plugins/starter.ts';
import { Throttle } from '../throttle.ts';
import type { OpenSources } from './sources/open-sources.ts';
import type { WorkspaceFilters } from './filters/plugins.ts';
import type { Source } from './sources/source.ts';
import type { EngineState } from '../api/types.ts';

/** At most so often the state is pushed. */
const STATE_INTERVAL_MS = 250;
/** How often the rates move, the sandboxes are asked how they are, and graphs of a file that is being read are brought up to date. */
const POLL_MS = 1000;
/** Sandboxes of sources with at most so many records a second are asked only so seldom. */
const QUIET_RATE = 5;
const QUIET_POLLS = 4;

export interface StateNewsOptions {
  readonly sources: OpenSources;
  readonly filters: WorkspaceFilters;
  readonly sandboxes: Pick<Sandboxes, 'memory'>;
  readonly emit: (state: EngineState) => void;
}

/** Tells the window what the engine is doing, not too often and only what is new; asks the plugins for it from time to time. */
export class StateNews {
  readonly #options: StateNewsOptions;
  readonly #throttle = new Throttle(() => this.#push(), STATE_INTERVAL_MS);
  readonly #poll = setInterval(() => void this.#ask(), POLL_MS).unref();
  #polls = 0;
  #last = '';
  #memory = process.memoryUsage.rss();

  constructor(options: StateNewsOptions) {
    this.#options = options;
  }

  /** The state as it is now. */
  now(): EngineState {
    const sources = this.#options.sources.all();
    const infos = sources.map((source) => source.info());
    const sum = (of: (info: (typeof infos)[number]) => number): number => infos.reduce((total, info) => total + of(info), 0);
    const live = infos.some(({ kind, state }) => kind !== 'file' && state === 'listening');
    return {
      pid: process.pid,
      sources: infos,
      plugins: [...sources.flatMap((source) => source.decoderInfos()), ...this.#options.filters.infos()],
      records: sum((info) => info.records),
      rate: sum((info) => info.rate),
      queued: sources.reduce((total, source) => total + source.queued, 0),
      dropped: sum((info) => info.dropped),
      failures: sum((info) => info.failures),
      memory: this.#memory,
      clock: live ? 'live' : infos.some(({ kind }) => kind === 'file') ? 'replay' : 'idle',
    };
  }

  /** Something may be different: the window hears of it soon. */
  changed(): void {
    this.#throttle.request();
  }

  /** Asks the plugins no more; changes are still told. */
  stopPolling(): void {
    clearInterval(this.#poll);
  }

  stop(): void {
    this.stopPolling();
    this.#throttle.stop();
  }

  #push(): void {
    const state = this.now();
    // Memory alone moves all the time and is no news.
    const text = JSON.stringify({ ...state, memory: Math.round(state.memory / 2 ** 22) });
    if (text === this.#last) return;
    this.#last = text;
    this.#options.emit(state);
  }

  async #ask(): Promise<void> {
    const { sources, filters, sandboxes } = this.#options;
    this.#memory = await sandboxes.memory().catch(() => process.memoryUsage.rss());
    // Asking costs more than what a few records a second do.
    const all = this.#polls++ % QUIET_POLLS === 0;
    const isDue = (source: Source): boolean => all || source.info().rate > QUIET_RATE;
    const due = sources.all().filter(isDue);
    await Promise.all([filters.poll(isDue), ...due.map((source) => source.poll())]);
    for (const source of sources.all()) {
      if (source.clock === 'wall' ? all : source.info().state === 'reading') filters.refresh(source);
    }
    this.changed();
  }
}
