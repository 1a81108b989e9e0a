import type { AllRequests, FilterSection, PluginInfo } from '../../../engine/api/types.ts';
import { errorText } from '../lib/api.ts';
import { isNumber, isShape, isString, orNull, readSaved, writeSaved, type TextStore } from '../lib/sources/saved.ts';
import type { App } from './app.svelte.ts';

/** A filter that a form is open for. */
export interface FilterForm {
  /** null: a new one. */
  readonly section: FilterSection | null;
  /** For a new filter: the values it begins with. */
  readonly script: string | null;
  /** Section of the input that it is for; null: all. */
  readonly input: string | null;
}

/** A script in the editor. */
export interface ScriptDraft {
  /** Changes when another script is opened. */
  readonly key: number;
  readonly kind: 'filter' | 'decoder';
  readonly path: string | null;
  readonly name: string;
  /** As it was opened or last saved. */
  readonly saved: string;
  /** The source whose records it is tried on. */
  readonly source: number | null;
  /** The section whose settings it is tried with; null: none. */
  readonly section: string | null;
}

interface KeptDraft extends Omit<ScriptDraft, 'key' | 'kind'> {
  readonly kind: string;
  readonly text: string;
}

const isKept = isShape<KeptDraft>({
  kind: isString,
  path: orNull(isString),
  name: isString,
  saved: isString,
  text: isString,
  source: orNull(isNumber),
  section: orNull(isString),
});
const isNullOrKept = orNull(isKept);
const KEEP_MS = 500;

/** The state of the Scripts view, and its actions. */
export class Plugins {
  selected = $state<string | null>(null);
  form = $state.raw<FilterForm | null>(null);
  draft = $state.raw<ScriptDraft | null>(null);
  /** The text in the editor, kept while another view is shown. */
  text = $state.raw('');
  readonly dirty = $derived(this.draft !== null && this.text !== this.draft.saved);
  readonly #app: App;
  #key = 1;

  /** Restores the content of the editor from before the window was closed or reloaded. */
  constructor(app: App, store: TextStore) {
    this.#app = app;
    const kept = readSaved(store, 'draft', null, isNullOrKept);
    if (kept === null) return;
    const { text, kind, ...draft } = kept;
    this.draft = { key: 0, kind: kind === 'decoder' ? 'decoder' : 'filter', ...draft };
    this.text = text;
  }

  /** Keeps the draft from now on; to be called where effects may run. */
  keep(store: TextStore): void {
    $effect(() => {
      const { draft, text } = this;
      const timer = setTimeout(() => writeSaved(store, 'draft', draft === null ? null : { ...draft, text }), KEEP_MS);
      return () => clearTimeout(timer);
    });
  }

  /** Gives a draft that has no file yet another name. */
  rename(name: string): void {
    if (this.draft !== null) this.draft = { ...this.draft, name };
  }

  get all(): readonly PluginInfo[] {
    return this.#app.engine.state?.plugins ?? [];
  }

  find(id: string | null): PluginInfo | null {
    return this.all.find((plugin) => plugin.id === id) ?? null;
  }

  /** The plugin of this name that works on this source. */
  select(name: string | null, source: number | null): void {
    const found = this.all.find((plugin) => plugin.name === name && (source === null || plugin.source === source));
    this.selected = found?.id ?? null;
  }

  async start({ id, name, state }: PluginInfo): Promise<void> {
    const done = await this.#do('plugin.start', { id });
    if (done) this.#app.toasts.show('info', state === 'terminated' ? `${name} was started anew.` : `${name} goes on.`);
  }

  async stop(plugin: PluginInfo): Promise<void> {
    const again = { label: 'Start', run: () => void this.start({ ...plugin, state: 'stopped' }) };
    if (await this.#do('plugin.stop', { id: plugin.id })) this.#app.toasts.show('info', `${plugin.name} is stopped.`, again);
  }

  async reload({ id, name }: PluginInfo, keepState: boolean): Promise<void> {
    const done = await this.#do('plugin.reload', { id, keepState });
    if (done) this.#app.toasts.show('info', keepState ? `${name} was loaded anew, with its state.` : `${name} began anew.`);
  }

  async remove(section: string): Promise<void> {
    const reply = await this.#app.attempt(this.#app.client.request('filter.remove', { name: section }));
    if (reply !== null) this.offerUndo(`The filter script ${section} was removed.`, reply.step);
  }

  /** @returns why it was refused; null: it was done */
  async save(filter: FilterSection, was: string | undefined, keepState: boolean): Promise<string | null> {
    try {
      const { step } = await this.#app.client.request('filter.set', { filter, keepState, was });
      this.form = null;
      this.offerUndo(
        was === undefined ? `The filter script ${filter.name} was added.` : `The filter script ${filter.name} was changed.`,
        step,
      );
      return null;
    } catch (error) {
      return errorText(error);
    }
  }

  /** Takes the last change back. @param step only this one */
  async undo(step?: number): Promise<void> {
    const reply = await this.#app.attempt(this.#app.client.request('filter.undo', { step }));
    if (reply === null) return;
    this.#app.toasts.show('info', reply.undone === null ? 'There is nothing to undo.' : `Undone: ${reply.undone}`);
  }

  offerUndo(text: string, step: number | null): void {
    this.#app.toasts.show('info', text, step === null ? null : { label: 'Undo', run: () => void this.undo(step) });
  }

  /** The form for a filter that is there. */
  async edit(section: string): Promise<void> {
    const sections = await this.#app.attempt(this.#app.client.request('filter.sections', {}));
    const found = sections?.find(({ name }) => name === section);
    if (found !== undefined) this.form = { section: found, script: null, input: null };
  }

  async add(source: number | null = null, script: string | null = null): Promise<void> {
    const inputs = source === null ? [] : ((await this.#app.attempt(this.#app.client.request('filter.inputs', {}))) ?? []);
    this.form = { section: null, script, input: inputs.find((one) => one.source === source)?.input ?? null };
  }

  /** Opens the script of a plugin; of a bundled one a copy. */
  async openScript(kind: 'filter' | 'decoder', script: string, more: { source: number | null; section: string | null }): Promise<void> {
    const file = await this.#app.attempt(this.#app.client.request('script.read', { kind, script }));
    if (file !== null)
      this.#open({ kind, path: file.path, name: file.name, saved: file.path === null ? '' : file.text, ...more }, file.text);
  }

  /** A new script. */
  newScript(kind: 'filter' | 'decoder', text: string, source: number | null): void {
    this.#open({ kind, path: null, name: kind === 'filter' ? 'my_filter.ts' : 'my_decoder.ts', saved: '', source, section: null }, text);
  }

  /** It was written there. */
  wasSaved(path: string, text: string): void {
    if (this.draft !== null) this.draft = { ...this.draft, path, name: path.split(/[\\/]/).at(-1) ?? path, saved: text };
  }

  /** Leaves the editor, unless something is in it that is not saved. */
  closeIfSaved(): void {
    if (!this.dirty) this.closeScript();
  }

  closeScript(): void {
    this.draft = null;
    this.text = '';
  }

  #open(draft: Omit<ScriptDraft, 'key'>, text: string): void {
    this.draft = { key: this.#key++, ...draft };
    this.text = text;
    this.form = null;
    this.#app.show('scripts');
  }

  async #do<N extends keyof AllRequests>(request: N, input: AllRequests[N]['in']): Promise<boolean> {
    return (await this.#app.attempt(this.#app.client.request(request, input).then(() => true))) ?? false;
  }
}
