import type { IncidentExport, IncidentForm, IncidentText } from '../../../engine/api/types.ts';
import { incidentChart } from '../lib/charts/incident-chart.ts';
import type { App } from './app.svelte.ts';

/** Fields that are columns of an exported table. */
const MOST_COLUMNS = 12;
const ENDINGS: Readonly<Record<IncidentForm, string>> = { html: '.html', markdown: '.md', bundle: '' };

/** The choices of someone who exports an incident. */
export type ExportWish = Pick<IncidentExport, 'form' | 'anonymise' | 'words' | 'around' | 'ask'>;

/** The words of the incident, and its export. Its marks, graphs and queries are those of the workspace. */
export class IncidentPage {
  text = $state.raw<IncidentText>({ title: '', summary: '', from: null, to: null, difference: null });
  /** Whether it is asked for how to export it. */
  exporting = $state(false);
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Asks for the words, when the engine has started. */
  async load(): Promise<void> {
    this.text = await this.#app.client.request('incident.get', {});
  }

  async change(part: Partial<IncidentText>): Promise<void> {
    const before = this.text;
    this.text = { ...before, ...part };
    const kept = await this.#app.attempt(this.#app.client.request('incident.set', { incident: this.text }).then(() => true));
    if (kept === null) this.text = before;
  }

  /** Asks for how to export it, where its parts are seen. */
  openExport(): void {
    this.#app.show('incident');
    this.exporting = true;
  }

  /** Asks for a file, and writes the incident into it. */
  async export(wish: ExportWish): Promise<void> {
    const { client, columns, prefs, recordGraphs, workspaces } = this.#app;
    // The title may tell of somebody.
    const name =
      (wish.anonymise ? '' : this.text.title)
        .replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')
        .replaceAll(/^[-.]+|[-.]+$/g, '')
        .slice(0, 80) || 'incident';
    const { form } = wish;
    const asking =
      form === 'bundle'
        ? client.request('shell.chooseWorkspace', { save: name })
        : client.request('shell.chooseExport', { name: `${name}${ENDINGS[form]}`, format: form });
    const chosen = await this.#app.attempt(asking);
    if (chosen === null) return;
    this.exporting = false;
    const charts = recordGraphs.drawings.filter(({ of }) => of.id > 0).map(incidentChart);
    const request = { ...wish, path: chosen.path, columns: columns.names.slice(0, MOST_COLUMNS), charts, zone: prefs.zone };
    await this.#app.attempt(client.request('incident.export', { ...request, window: workspaces.windowPart() }));
  }
}
