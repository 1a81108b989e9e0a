import { Throttle } from '../throttle.ts';
import type { EngineEvents } from '../api/types.ts';

type News = EngineEvents['outputs.changed'];

const NOTHING: News = { graphs: false, items: false, schema: false };
export const EVERYTHING: News = { graphs: true, items: true, schema: true };

/** Tells the window what filters have made and what was counted, all at once and not too often. */
export class OutputNews {
  readonly #throttle: Throttle;
  #news = NOTHING;

  constructor(emit: (news: News) => void, intervalMs: number) {
    this.#throttle = new Throttle(() => {
      const news = this.#news;
      this.#news = NOTHING;
      emit(news);
    }, intervalMs);
  }

  tell({ graphs = false, items = false, schema = false }: Partial<News>): void {
    if (!graphs && !items && !schema) return;
    const { graphs: oldGraphs, items: oldItems, schema: oldSchema } = this.#news;
    this.#news = { graphs: oldGraphs || graphs, items: oldItems || items, schema: oldSchema || schema };
    this.#throttle.request();
  }

  stop(): void {
    this.#throttle.stop();
  }
}
