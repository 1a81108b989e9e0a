import type { FilterSection, Graph } from '../../../engine/api/types.ts';
import { withTest, type GraphTest } from '../lib/charts/graph-alert.ts';
import type { App } from './app.svelte.ts';

/** Makes alerts of graphs, by tests in the settings of their filters. */
export class GraphAlerts {
  /** The graph that the dialog is open for; null: it is closed. */
  graph = $state.raw<Graph | null>(null);
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Opens the dialog for the graph with a key. */
  open(key: string): void {
    this.graph = this.#app.outputs.graphs.value?.find((graph) => graph.key === key) ?? null;
  }

  /**
   * Adds a test to the filter of a graph, which then begins anew, so that it also tells what was.
   * @returns why it could not; null: it is done
   */
  async add(graph: Graph, test: Pick<GraphTest, 'kind' | 'column' | 'rows'>): Promise<string | null> {
    const { engine, plugins, client } = this.#app;
    const running = engine.state?.plugins.find(({ name, source }) => name === graph.plugin && source === graph.source);
    const sections = await this.#app.attempt(client.request('filter.sections', {}));
    const section = sections?.find(({ name }) => name === running?.section);
    if (section === undefined) return `${graph.plugin} is not among the filter scripts of this window.`;
    const parameters = await this.#parametersOf(section);
    const changed = withTest(section, parameters, { ...test, title: graph.title, rowSeconds: Math.max(1, Math.round(graph.rowMs / 1000)) });
    if (typeof changed === 'string') return changed;
    return plugins.save(changed, section.name, false);
  }

  async #parametersOf({ script, bundled }: FilterSection): Promise<readonly string[]> {
    const { client } = this.#app;
    const about = bundled
      ? (await this.#app.attempt(client.request('filter.list', {})))?.find((one) => one.script === script)
      : await this.#app.attempt(client.request('script.about', { path: script }));
    return (about?.parameters ?? []).map(({ name }) => name);
  }
}
