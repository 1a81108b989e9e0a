import type { Graph, RecordGraph } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';
import { countsGraph, keyOf, numbersGraph, queryOf } from '../lib/charts/record-graph.ts';
import { Throttle } from '../lib/time/throttle.ts';

const PAUSE_MS = 400;
/** Rows of a graph at most: bars of four pixels on a wide screen. */
const MOST_ROWS = 480;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A graph of records while it is looked at: its picture, of a view of the engine that is open as long. */
export class RecordDrawing {
  readonly of: RecordGraph;
  readonly key: string;
  graph = $state.raw<Graph | null>(null);
  /** The time of its records; null: there are none, or none was found yet. */
  span = $state.raw<Span | null>(null);
  /** Whether records are still looked through. */
  busy = $state(true);
  problem = $state<string | null>(null);
  readonly #client: Client;
  readonly #draw = new Throttle(PAUSE_MS, () => this.#fetch());
  readonly #unsubscribe: () => void;
  #view: number | null = null;
  #closed = false;
  #scanning = true;
  /** The time that is to be drawn; null: none yet. */
  #wanted: Span | null = null;

  /** @param sources whose records it shows; none: all */
  constructor(client: Client, of: RecordGraph, sources: readonly number[]) {
    this.of = of;
    this.key = keyOf(of);
    this.#client = client;
    this.#unsubscribe = client.on('view.changed', ({ view, facts, scanned, records }) => {
      if (view !== this.#view) return;
      this.#scanning = scanned < records;
      this.#learn(facts.span);
      this.#draw.call();
    });
    void this.#open(sources);
  }

  /** Draws this time from now on. */
  show(from: number, to: number): void {
    if (this.#wanted?.from === from && this.#wanted.to === to) return;
    this.#wanted = { from, to };
    this.#draw.call();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.#leave();
  }

  async #open(sources: readonly number[]): Promise<void> {
    try {
      this.#view = (await this.#client.request('view.open', { query: queryOf(this.of, sources) })).view;
      if (this.#closed) return this.#leave();
      // The event of what is there already may have come before the number of the view.
      const { facts } = await this.#client.request('view.rows', { view: this.#view, start: 0, count: 0, columns: [] });
      this.#learn(facts.span);
      this.#draw.call();
    } catch (error) {
      this.#fail(error);
    }
  }

  #learn(span: Span | null): void {
    const to = span === null ? 0 : Math.floor(span.to) + 1;
    if (span === null) this.span = null;
    else if (this.span?.from !== span.from || this.span.to !== to) this.span = { from: span.from, to };
  }

  async #fetch(): Promise<void> {
    const { of } = this;
    const [view, wanted] = [this.#view, this.#wanted];
    if (view === null) return;
    if (this.span === null || wanted === null) {
      this.busy = this.#scanning;
      return;
    }
    try {
      const part = { view, buckets: MOST_ROWS, ...wanted };
      const [graph, complete] = of.measure === 'number' ? await this.#numbers(part) : await this.#counts(part);
      if (this.#closed) return;
      this.graph = graph;
      this.busy = this.#scanning || !complete;
      if (!complete) this.#draw.call();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #counts(part: { view: number; buckets: number } & Span): Promise<[Graph, boolean]> {
    const { variable } = this.of;
    const histogram = await this.#client.request('view.histogram', { ...part, by: variable ?? undefined });
    return [countsGraph(this.of, histogram), histogram.complete];
  }

  async #numbers(part: { view: number; buckets: number } & Span): Promise<[Graph, boolean]> {
    const series = await this.#client.request('view.numbers', { ...part, variable: this.of.variable ?? '' });
    return [numbersGraph(this.of, series), series.complete];
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.busy = false;
    this.problem = errorText(error);
  }

  #leave(): void {
    const view = this.#view;
    this.#view = null;
    if (view !== null) void this.#client.request('view.close', { view }).catch(() => undefined);
  }
}
