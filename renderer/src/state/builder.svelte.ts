import { untrack } from 'svelte';
import type { Question, RecordGraph } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import { graphOf, narrowed, queryOf, type NewGraph } from '../lib/charts/record-graph.ts';
import type { Filter, FilterTerm } from '../lib/filter/filter.ts';
import { RecordDrawing } from './record-drawing.svelte.ts';

/** The place of the builder: beside the records, or above the charts. */
export type BuilderPlace = 'pane' | 'charts';

/** The one question about the records that the filter shows, and its answer. */
export class Builder {
  /** null: it is closed. */
  question = $state.raw<Question | null>(null);
  place = $state<BuilderPlace>('pane');
  /** Title of the graph to be kept; empty: that of the question. */
  title = $state('');
  /** A further filter, beside that of the Logs. */
  term = $state.raw<FilterTerm | null>(null);
  /** The answer as a list or over time; null: it is shown as a timeline, or nobody looks. */
  drawing = $state.raw<RecordDrawing | null>(null);
  readonly #client: Client;
  readonly #filter: () => Filter;
  #drawn = '';

  constructor(client: Client, filter: () => Filter) {
    this.#client = client;
    this.#filter = filter;
  }

  get inPane(): boolean {
    return this.question !== null && this.place === 'pane';
  }

  /** Filter of the records that it asks about. */
  get filter(): Filter {
    return this.term === null ? this.#filter() : (narrowed(this.term, this.#filter()) ?? this.#filter());
  }

  /** The graph that would be kept. */
  get graph(): NewGraph | null {
    return this.question === null ? null : graphOf(this.question, this.filter, this.title);
  }

  ask(question: Question, place: BuilderPlace, term: FilterTerm | null = null): void {
    this.question = question;
    this.place = place;
    this.term = term;
    this.title = '';
  }

  /** Changes a part of the question. */
  change(part: Partial<Question>): void {
    if (this.question !== null) this.question = { ...this.question, ...part };
  }

  close(): void {
    this.question = null;
    this.stop();
  }

  /** Answers the question as it stands. An effect that calls it depends on the question and the filter, not on the answer. */
  answer(): void {
    const { question, filter, graph } = this;
    if (question === null || graph === null || question.display === 'timeline') return this.stop();
    untrack(() => {
      const query = queryOf(question, filter);
      const drawn = JSON.stringify([question, query]);
      if (drawn === this.#drawn) return;
      const of: RecordGraph = { ...graph, id: 0 };
      this.stop();
      this.#drawn = drawn;
      this.drawing = new RecordDrawing(this.#client, of, query);
    });
  }

  /** Nobody looks at the answer any more. */
  stop(): void {
    untrack(() => {
      this.drawing?.close();
      this.drawing = null;
      this.#drawn = '';
    });
  }
}
