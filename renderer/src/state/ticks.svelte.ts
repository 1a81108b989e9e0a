import type { TickKind, Ticks } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import { Throttle } from '../lib/time/throttle.ts';

const PAUSE_MS = 250;

/** Marks along the list of records, for the picture beside the scroll bar. */
export class TickMap {
  ticks = $state.raw<Ticks | null>(null);
  /** Parts that the picture has room for. */
  #size = 0;
  readonly #client: Client;
  readonly #view: () => number | null;
  readonly #throttle = new Throttle(PAUSE_MS, () => this.#load());

  constructor(client: Client, view: () => number | null) {
    this.#client = client;
    this.#view = view;
  }

  resize(size: number): void {
    this.#size = Math.floor(size);
    this.update();
  }

  /** Says that something changed. */
  update(): void {
    if (this.#size > 0) this.#throttle.call();
  }

  /** The row of a kind that is nearest to a place of the list, from 0 to 1. */
  async rowAt(kind: TickKind, place: number, total: number): Promise<number | null> {
    const view = this.#view();
    if (view === null) return null;
    const row = Math.floor(place * total) - 1;
    return (await this.#client.request('view.nearest', { view, kind, row, forward: true })).row;
  }

  async #load(): Promise<void> {
    const view = this.#view();
    if (view === null) return;
    try {
      this.ticks = await this.#client.request('view.ticks', { view, buckets: this.#size });
    } catch {
      // The view is another one by now, and asks for itself.
      this.ticks = null;
    }
  }
}
