import type { FilterSection } from '../../../engine/api/types.ts';
import { errorText } from '../lib/api.ts';
import { COUNT_ALERT, countedRecords, countSection, type Counted, type CountTest } from '../lib/count-alert.ts';
import type { Filter, FilterTerm } from '../lib/filter/filter.ts';
import type { App } from './app.svelte.ts';

/** Makes alerts about the number of records, and lists those that there are. */
export class NewAlert {
  /** The records that the dialog offers to count; null: it is closed. */
  choices = $state.raw<readonly Counted[] | null>(null);
  /** The alerts that there are. */
  rules = $state.raw<readonly FilterSection[]>([]);
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Opens the dialog. @param term the records of this filter are offered first @param filter the others that are offered; absent: that of the Logs */
  open(term: FilterTerm | null = null, filter: Filter = this.#app.logs.filter): void {
    const { search } = this.#app.logs;
    this.choices = countedRecords(term, filter, search.active ? search.query.text : '');
  }

  async load(): Promise<void> {
    const sections = (await this.#app.attempt(this.#app.client.request('filter.sections', {}))) ?? [];
    this.rules = sections.filter(({ script, bundled }) => bundled && script === COUNT_ALERT);
  }

  /** @returns why it could not; null: it is done */
  async add(counted: Counted, test: CountTest): Promise<string | null> {
    const { client, logs, plugins } = this.#app;
    try {
      const taken = (await client.request('filter.sections', {})).map(({ name }) => name);
      const shown = logs.filter.sources;
      const inputs = shown.length === 0 ? null : (await client.request('filter.inputs', {})).filter(({ source }) => shown.includes(source));
      const section = countSection(counted, test, inputs?.map(({ input }) => input) ?? null, taken);
      if (typeof section === 'string') return section;
      const { step } = await client.request('filter.set', { filter: section, keepState: false });
      this.choices = null;
      plugins.offerUndo('The alert was added. It also tells what is in the log already.', step);
      await this.load();
      return null;
    } catch (error) {
      return errorText(error);
    }
  }

  async remove(name: string): Promise<void> {
    await this.#app.plugins.remove(name);
    await this.load();
  }
}
