import type { TopValues } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';

const MOST_ITEMS = 200;

/** The commonest values of a variable among the records that the filter shows. */
export class Top {
  /** The counted variable; null: none. */
  of = $state.raw<{ readonly variable: string; readonly name: string } | null>(null);
  values = $state.raw<TopValues | null>(null);
  problem = $state<string | null>(null);
  readonly #client: Client;
  readonly #view: () => number | null;
  #run = 0;

  constructor(client: Client, view: () => number | null) {
    this.#client = client;
    this.#view = view;
  }

  show(variable: string, name: string): void {
    if (this.of?.variable !== variable) this.values = null;
    this.of = { variable, name };
    this.recount();
  }

  close(): void {
    this.of = null;
    this.values = null;
    this.#run++;
  }

  /** Counts anew; what was counted before stays until then. */
  recount(): void {
    if (this.of !== null) void this.#count(this.of.variable, ++this.#run);
  }

  async #count(variable: string, run: number): Promise<void> {
    this.problem = null;
    for (let complete = false; !complete;) {
      const view = this.#view();
      if (view === null) return;
      try {
        const values = await this.#client.request('view.top', { view, variable, limit: MOST_ITEMS });
        if (run !== this.#run) return;
        this.values = values;
        ({ complete } = values);
      } catch (error) {
        if (run === this.#run) this.problem = errorText(error);
        return;
      }
    }
  }
}
