import type { Graph, HeatMap, MeasureAnswer, RecordGraph, RecordQuery } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';
import { measuresOf } from '../lib/charts/question.ts';
import { countsGraph, isHistogram, keyOf, measuredGraph } from '../lib/charts/record-graph.ts';
import { Throttle } from '../lib/time/throttle.ts';

const PAUSE_MS = 400;
/** While records come, an answer is asked for again after so many times as long as the last one took. */
const REST = 8;
/** Rows of a graph at most: bars of four pixels on a wide screen. */
const MOST_ROWS = 480;
/** Groups of a list, and lines of a chart. */
const MOST_GROUPS = 200;
const MOST_LINES = 8;
/** Parts of a heat map. */
const HEAT_BUCKETS = 160;
const HEAT_ROWS = 24;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The answer to a question about records while it is looked at: its picture or its list, of a view of the engine that is open as long. */
export class RecordDrawing {
  readonly of: RecordGraph;
  readonly key: string;
  /** The picture over time; null: there is none, or not yet. */
  graph = $state.raw<Graph | null>(null);
  /** The list; null: there is none, or not yet. */
  answer = $state.raw<MeasureAnswer | null>(null);
  /** The heat map; null: there is none, or not yet. */
  heat = $state.raw<HeatMap | null>(null);
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
  /** When the question that is answered now was asked, and when it may be asked again. */
  #asked: number | null = null;
  #rested = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client, of: RecordGraph, query: RecordQuery) {
    this.of = of;
    this.key = keyOf(of);
    this.#client = client;
    this.#unsubscribe = client.on('view.changed', ({ view, facts, scanned, records }) => {
      if (view !== this.#view) return;
      this.#scanning = scanned < records;
      this.#learn(facts.span);
      this.#drawLater();
    });
    void this.#open(query);
  }

  /** Draws this time from now on. */
  show(from: number, to: number): void {
    if (this.#wanted?.from === from && this.#wanted.to === to) return;
    this.#wanted = { from, to };
    // Until it has the first answer, nobody knows that there is none.
    if (this.graph === null && this.heat === null) this.busy = true;
    this.#draw.call();
  }

  /** Asks anew. */
  again(): void {
    this.busy = true;
    this.#draw.call();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#leave();
  }

  async #open(query: RecordQuery): Promise<void> {
    try {
      this.#view = (await this.#client.request('view.open', { query })).view;
      if (this.#closed) return this.#leave();
      // The event of what is there already may have come before the number of the view.
      const { facts } = await this.#client.request('view.rows', { view: this.#view, start: 0, count: 0, columns: [] });
      this.#learn(facts.span);
      this.#draw.call();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** More records are there: what was answered rests a while. */
  #drawLater(): void {
    const rest = this.#rested - performance.now();
    if (rest <= 0) return this.#draw.call();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#draw.call(), rest);
  }

  #learn(span: Span | null): void {
    const to = span === null ? 0 : Math.floor(span.to) + 1;
    if (span === null) this.span = null;
    else if (this.span?.from !== span.from || this.span.to !== to) this.span = { from: span.from, to };
  }

  async #fetch(): Promise<void> {
    const { of } = this;
    const [view, wanted] = [this.#view, this.#wanted];
    if (view === null || this.#closed) return;
    if (of.display !== 'list' && (this.span === null || wanted === null)) {
      this.busy = this.#scanning;
      return;
    }
    this.#asked ??= performance.now();
    try {
      const complete = of.display === 'list' ? await this.#list(view) : await this.#picture(view, wanted as Span);
      if (this.#closed) return;
      this.busy = this.#scanning || !complete;
      if (!complete) return this.#draw.call();
      const now = performance.now();
      this.#rested = now + REST * (now - this.#asked);
      this.#asked = null;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @returns whether it is whole */
  async #list(view: number): Promise<boolean> {
    const { of, by } = this.of;
    const wish = { view, measures: [...measuresOf(this.of)], of, by: [...by], over: null, limit: MOST_GROUPS };
    const answer = await this.#client.request('view.measure', wish);
    // A list that begins anew would be empty for a moment.
    if (answer.complete || this.answer === null || this.answer.looked <= answer.looked) this.answer = answer;
    return answer.complete;
  }

  /** @returns whether it is whole */
  async #picture(view: number, { from, to }: Span): Promise<boolean> {
    const { of, by, display } = this.of;
    if (display === 'heat' && of !== null) {
      const heat = await this.#client.request('view.heat', { view, buckets: HEAT_BUCKETS, rows: HEAT_ROWS, from, to, variable: of });
      if (!this.#closed) this.heat = heat;
      return heat.complete;
    }
    const over = { buckets: MOST_ROWS, from, to };
    if (isHistogram(this.of)) {
      const histogram = await this.#client.request('view.histogram', { view, ...over, by: by[0] });
      if (!this.#closed) this.graph = countsGraph(this.of, histogram);
      return histogram.complete;
    }
    const answer = await this.#client.request('view.measure', {
      view,
      measures: [...measuresOf(this.of)],
      of,
      by: [...by],
      over,
      limit: MOST_LINES,
    });
    // One that begins anew has no lines for a moment.
    if (answer.complete || this.graph === null) this.graph = measuredGraph(this.of, answer);
    return answer.complete;
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
