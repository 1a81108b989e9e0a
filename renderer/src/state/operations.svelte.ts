import { tick, untrack } from 'svelte';
import type { OperationOrder, OperationQuery, Operations, RecordQuery } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';
import { areSingle } from '../lib/operations.ts';

/** Operations that are shown at most; of more, the first of the order. */
const MOST_SHOWN = 500;
/** The same while they are gathered and change all the time. */
const MOST_AT_FIRST = 60;

/** The operations of the records that a filter shows, gathered on a view of their own, which stays open while they are looked at. */
export class OperationList {
  value = $state.raw<Operations | null>(null);
  /** The variable by which the shown ones were gathered. */
  shownBy = $state<string | null>(null);
  problem = $state<string | null>(null);
  busy = $state(false);
  /** The variable that someone chose; null: the likeliest. */
  chosen = $state<string | null>(null);
  /** Variables that no record of the query turned out to have, or each with a value of its own. */
  vain = $state.raw<readonly string[]>([]);
  order = $state<OperationOrder>('start');
  down = $state(false);
  text = $state('');
  /** Rises when they are to be gathered anew. */
  again = $state(0);
  readonly #client: Client;
  #view: number | null = null;
  #run = 0;
  /** The query of the records that are gathered. */
  #query = '';
  #wish: Omit<OperationQuery, 'limit'> | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Sorts by this; anew by the same: the other way round. */
  sortBy(order: OperationOrder): void {
    this.down = order === this.order ? !this.down : order !== 'start';
    this.order = order;
  }

  /** Gathers them anew, of the records of this query; what was there before is shown until then. */
  async find(query: RecordQuery): Promise<void> {
    const run = this.#begin();
    this.vain = [];
    this.#query = JSON.stringify(query);
    await this.#try(run, async () => {
      const { view } = await this.#client.request('view.open', { query });
      if (run === this.#run) this.#view = view;
      else await this.#client.request('view.close', { view });
      await this.#ask(run);
    });
  }

  /** The variables that are known to be in vain for a query that finds so many records. */
  vainOf(query: RecordQuery, records: number): readonly string[] {
    return this.value?.total === records && JSON.stringify(query) === this.#query ? this.vain : [];
  }

  /** Shows them by this variable and in this order. An effect that calls it depends on the wish alone, not on what is answered. */
  show(wish: Omit<OperationQuery, 'limit'>): Promise<void> {
    return untrack(() => this.#show(wish));
  }

  async #show(wish: Omit<OperationQuery, 'limit'>): Promise<void> {
    this.#wish = wish;
    if (this.busy || this.#view === null) return;
    const run = ++this.#run;
    await this.#try(run, () => this.#ask(run));
  }

  /** Nobody looks at them any more. */
  stop(): void {
    this.#begin();
    this.busy = false;
  }

  #begin(): number {
    const view = this.#view;
    this.#view = null;
    if (view !== null) void this.#client.request('view.close', { view }).catch(() => undefined);
    return ++this.#run;
  }

  async #try(run: number, work: () => Promise<void>): Promise<void> {
    this.problem = null;
    this.busy = true;
    try {
      await work();
    } catch (error) {
      if (run === this.#run) this.problem = errorText(error);
    } finally {
      if (run === this.#run) this.busy = false;
    }
  }

  /** Asks until they are complete, and until the answer is to the last wish. */
  async #ask(run: number): Promise<void> {
    let limit = this.value?.complete === true ? MOST_SHOWN : MOST_AT_FIRST;
    for (let done = false; !done && run === this.#run;) {
      const [wish, view] = [this.#wish, this.#view];
      if (wish === null || view === null) return;
      const value = await this.#client.request('view.operations', { view, ...wish, limit });
      if (run !== this.#run) return;
      this.value = value;
      this.shownBy = wish.variable;
      if (value.complete && value.total > 0 && isVain(value)) {
        this.vain = [...this.vain.filter((name) => name !== wish.variable), wish.variable];
        // An effect wishes for the likeliest variable that is left, before this is taken for done.
        await tick();
        if (run !== this.#run) return;
      }
      done = value.complete && wish === this.#wish && limit === MOST_SHOWN;
      if (value.complete) limit = MOST_SHOWN;
    }
  }
}

const isVain = (value: Operations): boolean => value.distinct === 0 || areSingle(value);
