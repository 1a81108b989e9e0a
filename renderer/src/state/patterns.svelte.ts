import type { LogPatterns, RecordQuery } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';

/** State of a pattern since a time: new when its first line is later, gone when its last one is earlier. */
export type PatternState = 'new' | 'gone' | 'known';

const MOST_PATTERNS = 500;

/** The patterns of the lines that a filter shows, found on a view of their own. */
export class Patterns {
  value = $state.raw<LogPatterns | null>(null);
  /** The field whose values are looked at; null: the text of the records. */
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
  #run = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Finds them anew; what was found before stays until then. */
  async find(query: RecordQuery): Promise<void> {
    const run = ++this.#run;
    const { variable } = this;
    this.problem = null;
    this.busy = true;
    let view: number | null = null;
    try {
      ({ view } = await this.#client.request('view.open', { query }));
      for (let complete = false; !complete && run === this.#run;) {
        const value = await this.#client.request('view.patterns', { view, limit: MOST_PATTERNS, variable: variable ?? undefined });
        if (run === this.#run) [this.value, this.foundIn] = [value, variable];
        ({ complete } = value);
      }
    } catch (error) {
      if (run === this.#run) this.problem = errorText(error);
    } finally {
      if (view !== null) await this.#client.request('view.close', { view }).catch(() => undefined);
      if (run === this.#run) this.busy = false;
    }
  }

  /** Nobody looks at them any more. */
  stop(): void {
    this.#run++;
    this.busy = false;
  }
}
