import type { RecordDetail } from '../../../engine/api/types.ts';
import { RequestError, type Client } from '../lib/api.ts';

/** The record that the inspector shows. The old one stays until the new one is there. */
export class Detail {
  record = $state.raw<RecordDetail | null>(null);
  problem = $state<string | null>(null);
  readonly #client: Client;
  #wanted: number | null = null;
  #busy = false;
  /** Counts how often the record was put away: an answer that comes afterwards is not shown. */
  #putAway = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  show(id: number | null): void {
    this.#wanted = id;
    if (id === null) {
      this.record = null;
      this.problem = null;
      this.#putAway++;
    } else if (!this.#busy) void this.#load();
  }

  /** Fetches the same record again: it may have been decoded since. */
  refresh(): void {
    if (this.record !== null) this.show(this.record.id);
  }

  async #load(): Promise<void> {
    this.#busy = true;
    // Someone who holds an arrow key down passes hundreds of records: only the latest counts.
    for (let id = this.#wanted; id !== null; id = this.#wanted) {
      this.#wanted = null;
      const putAway = this.#putAway;
      try {
        const record = await this.#client.request('record.get', { id });
        if (putAway !== this.#putAway) continue;
        this.record = record;
        this.problem = null;
      } catch (error) {
        if (putAway !== this.#putAway) continue;
        // It was removed, or decoded anew under another number.
        const isGone = error instanceof RequestError && error.code === 'record.unknown';
        if (isGone) this.record = null;
        this.problem = isGone ? null : error instanceof Error ? error.message : String(error);
      }
    }
    this.#busy = false;
  }
}
