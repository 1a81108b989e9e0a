import { visibleText } from '../../../engine/api/printable.ts';
import type { AllRequests, Graph, ItemTable, SchemaLogger } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';
import { ChangeFollower } from '../lib/change-follower.ts';
import { withChanges } from '../lib/output-changes.ts';

type ChangeRequest = 'graph.changes' | 'items.changes' | 'schema.changes';

/** One kind of output. While it is shown, its changes are requested from the engine, which answers when there are any. */
class Output<N extends ChangeRequest, V> {
  value = $state.raw<V | null>(null);
  problem = $state<string | null>(null);
  readonly #follower: ChangeFollower<AllRequests[N]['out']>;

  /** @param apply makes the new value of what is known and what changed */
  constructor(client: Client, name: N, apply: (known: V | null, change: AllRequests[N]['out']) => V) {
    this.#follower = new ChangeFollower({
      ask: (since) => client.request(name, { since }),
      take: (change, first) => {
        this.value = apply(first ? null : this.value, change);
        this.problem = null;
      },
      failed: (error) => (this.problem = errorText(error)),
    });
  }

  /** Keeps the value fresh until the returned function is called. */
  watch(): () => void {
    return this.#follower.watch();
  }

  /** Starts over with a new engine process. */
  restart(): void {
    this.#follower.restart();
  }
}

/** A graph as it is shown: scripts may make its texts of what stands in a log, and charts draw them outside of all controls. */
function visibleGraph(graph: Graph): Graph {
  return {
    ...graph,
    title: visibleText(graph.title),
    columns: graph.columns.map((column) => ({ ...column, name: visibleText(column.name), unit: visibleText(column.unit) })),
    annotations: graph.annotations.map((one) => ({ ...one, short: visibleText(one.short), text: visibleText(one.text) })),
  };
}

/** The outputs of the filters: graphs, lists and the schema. */
export class Outputs {
  readonly graphs: Output<'graph.changes', readonly Graph[]>;
  readonly items: Output<'items.changes', readonly ItemTable[]>;
  readonly schema: Output<'schema.changes', readonly SchemaLogger[]>;

  constructor(client: Client) {
    this.graphs = new Output(client, 'graph.changes', (known, change) =>
      withChanges(known ?? [], { ...change, changed: change.changed.map(visibleGraph) }),
    );
    this.items = new Output(client, 'items.changes', (known, change) => withChanges(known ?? [], change));
    this.schema = new Output(client, 'schema.changes', (_known, { loggers }) => loggers);
  }

  /** Reads everything again from a new engine process. */
  restart(): void {
    this.graphs.restart();
    this.items.restart();
    this.schema.restart();
  }
}
