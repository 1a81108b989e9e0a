import type { Graph, ItemTable, OutputChanges, SchemaChange, SchemaLogger } from '../api/types.ts';
import type { LatestPayloads, PayloadNews } from '../outputs/latest-payloads.ts';
import type { DefaultOutput } from './file/templates.ts';
import { ChangeAnswers } from './change-answers.ts';

/** Least milliseconds between two answers of a kind. */
const INTERVAL_MS = 500;
/** The same for the schema, whose counts change with all that is read. */
const SCHEMA_INTERVAL_MS = 1000;

/** Graphs, lists and schema for the window; each is sent only while the window asks for its changes. */
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
      SCHEMA_INTERVAL_MS,
    );
  }

  /** Whether someone waits for changes of graphs, or of lists. */
  areShown(output: DefaultOutput): boolean {
    return (output === 'graph' ? this.graphs : this.items).isWaitedFor;
  }

  /** Says that filters have injected graphs or lists. */
  injected({ graphs, items }: Pick<PayloadNews, 'graphs' | 'items'>): void {
    if (graphs) this.graphs.changed();
    if (items) this.items.changed();
  }

  /** Says that records were counted in the schema. */
  counted(): void {
    this.#schemaRevision++;
    this.schema.changed();
  }

  /** A source has been read to its end: what its records have is told soon, as filters are understood by it. */
  atEnd(): void {
    this.schema.hasten();
  }

  /** Says that graphs, lists and counts of some records were removed. */
  forgot(): void {
    this.injected({ graphs: true, items: true });
    this.counted();
  }

  stop(): void {
    for (const answers of [this.graphs, this.items, this.schema]) answers.stop();
  }
}
