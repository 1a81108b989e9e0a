import type { Histogram } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import type { Filter } from '../lib/filter/filter.ts';
import { Throttle } from '../lib/time/throttle.ts';

const PAUSE_MS = 400;

interface TimelineOptions {
  readonly client: Client;
  /** The engine's view; null: not now. */
  readonly view: () => number | null;
  readonly range: () => Pick<Filter, 'from' | 'to'>;
  /** The variable whose values are the layers; null: severities. */
  readonly by: () => string | null;
  readonly failed: (error: unknown) => void;
}

/** The histogram over the records of the view. */
export class Timeline {
  histogram = $state.raw<Histogram | null>(null);
  /** The variable of its layers; null: severities. */
  by = $state<string | null>(null);
  buckets = $state(200);
  readonly #options: TimelineOptions;
  readonly #load = new Throttle(PAUSE_MS, () => this.#fetch());

  constructor(options: TimelineOptions) {
    this.#options = options;
  }

  /** Something of it may be different now. */
  update(): void {
    this.#load.call();
  }

  /** There is room for so many bars. */
  setBuckets(buckets: number): void {
    if (buckets === this.buckets) return;
    this.buckets = buckets;
    this.update();
  }

  async #fetch(): Promise<void> {
    const { client, failed } = this.#options;
    const view = this.#options.view();
    if (view === null) return;
    const { from, to } = this.#options.range();
    const by = this.#options.by();
    try {
      const span = { from: from ?? undefined, to: to ?? undefined };
      const histogram = await client.request('view.histogram', { view, buckets: this.buckets, ...span, by: by ?? undefined });
      if (by !== this.#options.by()) return this.update();
      this.histogram = histogram;
      this.by = by;
      if (!histogram.complete) this.update();
    } catch (error) {
      failed(error);
    }
  }
}
