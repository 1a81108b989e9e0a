import type { LogPatterns } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';

/** State of a pattern since a time: new when its first line is later, gone when its last one is earlier. */
export type PatternState = 'new' | 'gone' | 'known';

const MOST_PATTERNS = 500;

/** The patterns of the records that are shown. */
export class Patterns {
  value = $state.raw<LogPatterns | null>(null);
  /** The variable whose values are looked at; null: what the records say. */
  variable = $state<string | null>(null);
  /** The same, of what was found. */
  foundIn = $state<string | null>(null);
  problem = $state<string | null>(null);
  busy = $state(false);
  /** Time since which patterns are new or gone; null: none is chosen. It stays when another view is shown. */
  since = $state<number | null>(null);
  /** The patterns that are listed. */
  shown = $state<PatternState | 'all'>('all');
  readonly #client: Client;
  readonly #view: () => number | null;
  #run = 0;

  constructor(client: Client, view: () => number | null) {
    this.#client = client;
    this.#view = view;
  }

  /** Finds them anew; what was found before stays until then. */
  async find(): Promise<void> {
    const run = ++this.#run;
    const { variable } = this;
    this.problem = null;
    this.busy = true;
    try {
      for (let complete = false; !complete && run === this.#run;) {
        const view = this.#view();
        if (view === null) return;
        const value = await this.#client.request('view.patterns', { view, limit: MOST_PATTERNS, variable: variable ?? undefined });
        if (run === this.#run) [this.value, this.foundIn] = [value, variable];
        ({ complete } = value);
      }
    } catch (error) {
      if (run === this.#run) this.problem = errorText(error);
    } finally {
      if (run === this.#run) this.busy = false;
    }
  }

  /** Nobody looks at them any more. */
  stop(): void {
    this.#run++;
    this.busy = false;
  }
}
