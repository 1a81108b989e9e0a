import type { FilterSection, Graph, Question } from '../../../engine/api/types.ts';
import { questionSection, whyUntold, type SectionDraft } from '../lib/charts/question-section.ts';
import { whyUncounted } from '../lib/count-alert.ts';
import type { Filter } from '../lib/filter/filter.ts';
import { withTest, type GraphTest } from '../lib/charts/graph-alert.ts';
import type { App } from './app.svelte.ts';

/** Makes alerts of graphs, by tests in the settings of their filters. */
export class GraphAlerts {
  /** The graph that the dialog is open for; null: it is closed. */
  graph = $state.raw<Graph | null>(null);
  /** The new filter that is to draw it; null: one draws it already. */
  draft = $state.raw<SectionDraft | null>(null);
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Opens the dialog for the graph with a key. */
  open(key: string): void {
    this.draft = null;
    this.graph = this.#app.outputs.graphs.value?.find((graph) => graph.key === key) ?? null;
  }

  /** Why no filter script could tell of the answer to a question; null: one can. */
  whyNot(question: Question): string | null {
    const { filter } = this.#app.builder;
    if (question.measure === 'count') return whyUntold(question) ?? whyUncounted(filter);
    const draft = questionSection(question, filter, []);
    return typeof draft === 'string' ? draft : null;
  }

  /** Opens the dialog for the answer to a question: for one that counts, that of New alert, and else that of a graph, which a new filter script draws from then on. */
  async ask(question: Question, filter: Filter): Promise<void> {
    if (question.measure === 'count') return this.#app.newAlert.open(null, filter);
    const sections = (await this.#app.attempt(this.#app.client.request('filter.sections', {}))) ?? [];
    const taken = sections.map(({ name }) => name);
    const draft = questionSection(question, filter, taken);
    if (typeof draft === 'string') return;
    this.draft = draft;
    const { title, column, section, rowMs } = draft;
    const columns = [{ name: column, unit: question.unit, aggregation: 'none' as const, values: Float64Array.of(0) }];
    this.graph = { key: '', source: -1, plugin: section.name, title, time: 0, rowMs, columns, annotations: [] };
  }

  /**
   * Adds a test to the filter of a graph, which then begins anew, so that it also tells what was.
   * @returns why it could not; null: it is done
   */
  async add(graph: Graph, test: Pick<GraphTest, 'kind' | 'column' | 'rows'>): Promise<string | null> {
    const { engine, client } = this.#app;
    const { draft } = this;
    if (draft !== null) return this.#addWith(draft.section, graph, test, undefined);
    const running = engine.state?.plugins.find(({ name, source }) => name === graph.plugin && source === graph.source);
    const sections = await this.#app.attempt(client.request('filter.sections', {}));
    const section = sections?.find(({ name }) => name === running?.section);
    if (section === undefined) return `${graph.plugin} is not among the filter scripts of this window.`;
    return this.#addWith(section, graph, test, section.name);
  }

  async #addWith(
    section: FilterSection,
    graph: Graph,
    test: Pick<GraphTest, 'kind' | 'column' | 'rows'>,
    was: string | undefined,
  ): Promise<string | null> {
    const parameters = await this.#parametersOf(section);
    const changed = withTest(section, parameters, { ...test, title: graph.title, rowSeconds: Math.max(1, Math.round(graph.rowMs / 1000)) });
    return typeof changed === 'string' ? changed : this.#app.plugins.save(changed, was, false);
  }

  async #parametersOf({ script, bundled }: FilterSection): Promise<readonly string[]> {
    const { client } = this.#app;
    const about = bundled
      ? (await this.#app.attempt(client.request('filter.list', {})))?.find((one) => one.script === script)
      : await this.#app.attempt(client.request('script.about', { path: script }));
    return (about?.parameters ?? []).map(({ name }) => name);
  }
}
