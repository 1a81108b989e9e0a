import { untrack } from 'svelte';
import type { RecordGraph } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import type { GraphChoice, NewGraph } from '../lib/charts/record-graph.ts';
import { RecordDrawing } from './record-drawing.svelte.ts';

/** The graphs of records that the workspace keeps, the newest first. */
export class RecordGraphs {
  list = $state.raw<readonly RecordGraph[]>([]);
  /** Their pictures, while someone looks at them. */
  drawings = $state.raw<readonly RecordDrawing[]>([]);
  /** The graphs that are offered in the dialog; none: it is closed. */
  choices = $state.raw<readonly GraphChoice[]>([]);
  /** The sources whose records the pictures show; none: all. null: nobody looks at them. */
  #watched: readonly number[] | null = null;
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
    const list = sources === null ? [] : this.list;
    this.drawings = list.map((graph) => known.find(({ of }) => of === graph) ?? new RecordDrawing(this.#client, graph, sources ?? []));
    for (const drawing of known) if (!this.drawings.includes(drawing)) drawing.close();
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
