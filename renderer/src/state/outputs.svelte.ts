import type { AllRequests } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import { Throttle } from '../lib/throttle.ts';

type OutputRequest = 'graph.list' | 'items.list' | 'schema.get';

const PAUSE_MS = 500;

/** One kind of output: read when someone looks at it, and again when there is news. */
class Output<N extends OutputRequest> {
  value = $state.raw<AllRequests[N]['out'] | null>(null);
  problem = $state<string | null>(null);
  readonly #load: Throttle;
  #stale = true;
  #watchers = 0;

  constructor(client: Client, name: N) {
    this.#load = new Throttle(PAUSE_MS, async () => {
      this.#stale = false;
      try {
        this.value = await client.request(name, {});
        this.problem = null;
      } catch (error) {
        this.problem = error instanceof Error ? error.message : String(error);
        this.#stale = true;
      }
    });
  }

  /** There is news. */
  changed(): void {
    this.#stale = true;
    if (this.#watchers > 0) this.#load.call();
  }

  /** Keeps the value fresh until the returned function is called. */
  watch(): () => void {
    this.#watchers++;
    if (this.#stale) this.#load.call();
    return () => {
      this.#watchers--;
    };
  }
}

/** What the filters made of the records. */
export class Outputs {
  readonly graphs: Output<'graph.list'>;
  readonly items: Output<'items.list'>;
  readonly schema: Output<'schema.get'>;

  constructor(client: Client) {
    this.graphs = new Output(client, 'graph.list');
    this.items = new Output(client, 'items.list');
    this.schema = new Output(client, 'schema.get');
    client.on('outputs.changed', (news) => {
      if (news.graphs) this.graphs.changed();
      if (news.items) this.items.changed();
      if (news.schema) this.schema.changed();
    });
  }

  /** A new engine process: everything is to be read anew. */
  restart(): void {
    this.graphs.changed();
    this.items.changed();
    this.schema.changed();
  }
}
