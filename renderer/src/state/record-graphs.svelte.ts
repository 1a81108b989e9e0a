import { untrack } from 'svelte';
import { RULE_LEVEL_FIELD } from '../../../engine/api/rule-fields.ts';
import type { RecordGraph } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import { NO_FILTER, type Filter } from '../lib/filter/filter.ts';
import { ownGraphs } from '../lib/charts/own-graphs.ts';
import { countBy } from '../lib/charts/question.ts';
import { filterOf, graphOf, queryOf, type NewGraph } from '../lib/charts/record-graph.ts';
import { RecordDrawing } from './record-drawing.svelte.ts';

/** Values of each field by which the most telling one is found. */
const OWN_VALUES = 20;
/** Of the graph of the hits of rules; those of the log's own count down from -1. */
const HITS_ID = -1000;

/** The graphs of records that the workspace keeps, the newest first. */
export class RecordGraphs {
  list = $state.raw<readonly RecordGraph[]>([]);
  /** The graphs that stand there while filters draw none; the workspace does not keep them. */
  own = $state.raw<readonly RecordGraph[]>([]);
  /** Their pictures, while someone looks at them. */
  drawings = $state.raw<readonly RecordDrawing[]>([]);
  /** The sources whose records the pictures show; none: all. null: nobody looks at them. */
  #watched: readonly number[] | null = null;
  #ownRun = 0;
  /** The graph of the hits of rules; null: there are none. */
  #hits: RecordGraph | null = null;
  readonly #client: Client;
  readonly #failed: (error: unknown) => void;

  constructor(client: Client, failed: (error: unknown) => void) {
    this.#client = client;
    this.#failed = failed;
  }

  /** Asks for all, when the engine has started. */
  async load(): Promise<void> {
    this.list = await this.#client.request('recordGraph.list', {});
    this.#draw();
  }

  /** @returns whether it is kept */
  add(graph: NewGraph): Promise<boolean> {
    const id = 1 + Math.max(0, ...this.list.map((one) => one.id));
    return this.#set([{ ...graph, id }, ...this.list]);
  }

  /** Shows the graphs that say most about the records of a view. @param view null: none are wanted */
  async showOwn(view: number | null, filter: Filter): Promise<void> {
    const run = ++this.#ownRun;
    if (view === null && this.own.length === 0) return;
    try {
      const overview = view === null ? null : await this.#client.request('view.overview', { view, values: OWN_VALUES, again: true });
      if (run !== this.#ownRun) return;
      this.own = overview === null ? [] : ownGraphs(overview, filter).map((graph, i) => ({ ...graph, id: -1 - i }));
      this.#draw();
    } catch (error) {
      if (run === this.#ownRun) this.#failed(error);
    }
  }

  /** Shows the hits of rules over time, by level, or no more. */
  showHits(on: boolean): void {
    if (on === (this.#hits !== null)) return;
    const title = 'Hits of rules by level';
    this.#hits = on ? { ...graphOf({ ...countBy(`Fields[${RULE_LEVEL_FIELD}]`), display: 'bars' }, NO_FILTER, title), id: HITS_ID } : null;
    this.#draw();
  }

  /** @returns whether it is gone */
  remove(id: number): Promise<boolean> {
    return this.#set(this.list.filter((graph) => graph.id !== id));
  }

  /** Puts one back that was removed, where it was. */
  async restore(graph: RecordGraph, at: number): Promise<void> {
    const others = this.list.filter(({ id }) => id !== graph.id);
    await this.#set([...others.slice(0, at), graph, ...others.slice(at)]);
  }

  /** Draws them until the returned function is called. @param sources whose records they show; none: all */
  watch(sources: readonly number[]): () => void {
    return untrack(() => {
      this.#watched = sources;
      this.#draw();
      return () => {
        this.#watched = null;
        this.#draw();
      };
    });
  }

  /** Makes the pictures that are missing; those of graphs that are still there stay as they are. */
  #draw(): void {
    const known = this.drawings;
    const sources = this.#watched;
    const list =
      sources === null
        ? []
        : [
            ...this.list,
            ...[...(this.#hits === null ? [] : [this.#hits]), ...this.own].filter((own) => !this.list.some((kept) => isAlike(kept, own))),
          ];
    this.drawings = list.map((graph) => known.find(({ of }) => of === graph) ?? this.#drawingOf(graph, sources ?? []));
    for (const drawing of known) if (!this.drawings.includes(drawing)) drawing.close();
  }

  #drawingOf(graph: RecordGraph, sources: readonly number[]): RecordDrawing {
    return new RecordDrawing(this.#client, graph, queryOf(graph, { ...filterOf(graph), sources }));
  }

  async #set(graphs: readonly RecordGraph[]): Promise<boolean> {
    try {
      await this.#client.request('recordGraph.set', { graphs: [...graphs] });
      this.list = graphs;
      this.#draw();
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }
}

const isAlike = (one: RecordGraph, other: RecordGraph): boolean =>
  one.measure === other.measure && one.of === other.of && one.by.join('\n') === other.by.join('\n');
