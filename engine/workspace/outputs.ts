import type { Graph, ItemTable, OutputChanges, SchemaChange, SchemaLogger } from '../api/types.ts';
import type { LatestPayloads, PayloadNews } from '../outputs/latest-payloads.ts';
import { ChangeAnswers } from './change-answers.ts';

/** At most so often the window hears of each kind. */
const INTERVAL_MS = 500;

/** What filters make of the records and what is counted of them, for the window: each kind is sent while the window asks for its changes. */
export class WorkspaceOutputs {
  readonly graphs: ChangeAnswers<OutputChanges<Graph>>;
  readonly items: ChangeAnswers<OutputChanges<ItemTable>>;
  readonly schema: ChangeAnswers<SchemaChange>;
  #schemaRevision = 1;

  constructor(payloads: LatestPayloads, loggers: () => SchemaLogger[]) {
    this.graphs = new ChangeAnswers(
      { revision: () => payloads.revision('graph'), since: (revision) => payloads.graphChanges(revision) },
      INTERVAL_MS,
    );
    this.items = new ChangeAnswers(
      { revision: () => payloads.revision('items'), since: (revision) => payloads.itemChanges(revision) },
      INTERVAL_MS,
    );
    this.schema = new ChangeAnswers<SchemaChange>(
      { revision: () => this.#schemaRevision, since: () => ({ revision: this.#schemaRevision, loggers: loggers() }) },
      INTERVAL_MS,
    );
  }

  /** Filters have injected something. */
  injected({ graphs, items }: Pick<PayloadNews, 'graphs' | 'items'>): void {
    if (graphs) this.graphs.changed();
    if (items) this.items.changed();
  }

  /** Records were counted. */
  counted(): void {
    this.#schemaRevision++;
    this.schema.changed();
  }

  /** What was made of some records is forgotten. */
  forgot(): void {
    this.injected({ graphs: true, items: true });
    this.counted();
  }

  stop(): void {
    for (const answers of [this.graphs, this.items, this.schema]) answers.stop();
  }
}
