import { untrack } from 'svelte';
import type { RecordGraph } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import type { GraphChoice, NewGraph } from '../lib/record-graph.ts';
import { RecordDrawing } from './record-drawing.svelte.ts';

/** The graphs of records that the workspace keeps, the newest first. */
export class RecordGraphs {
  list = $state.raw<readonly RecordGraph[]>([]);
  /** Their pictures, while someone looks at them. */
  drawings = $state.raw<readonly RecordDrawing[]>([]);
  /** The graphs that are offered in the dialog; none: it is closed. */
  choices = $state.raw<readonly GraphChoice[]>([]);
  readonly #client: Client;
  readonly #failed: (error: unknown) => void;

  constructor(client: Client, failed: (error: unknown) => void) {
    this.#client = client;
    this.#failed = failed;
  }

  /** Asks for all, when the engine has started. */
  async load(): Promise<void> {
    this.list = await this.#client.request('recordGraph.list', {});
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
    const { list } = this;
    return untrack(() => {
      const drawings = list.map((graph) => new RecordDrawing(this.#client, graph, sources));
      this.drawings = drawings;
      return () => {
        for (const drawing of drawings) drawing.close();
        this.drawings = [];
      };
    });
  }

  async #set(graphs: readonly RecordGraph[]): Promise<boolean> {
    try {
      await this.#client.request('recordGraph.set', { graphs: [...graphs] });
      this.list = graphs;
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }
}
