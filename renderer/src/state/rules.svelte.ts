import { RULE_FIELD } from '../../../engine/api/rule-fields.ts';
import type { RulesLook, RulesProgress, RulesState } from '../../../engine/api/types.ts';
import { errorText } from '../lib/api.ts';
import { quote } from '../../../engine/api/filter/expression.ts';
import { Throttle } from '../lib/time/throttle.ts';
import type { App } from './app.svelte.ts';

const PAUSE_MS = 800;
const NOTHING: RulesProgress = { state: 'none', searched: 0, of: 0, hits: 0, version: 0, problem: null };

/** Rules that someone may add. */
interface Offer {
  /** null: those that come with Sluicebox. */
  readonly path: string | null;
  /** null: they are still being read. */
  readonly look: RulesLook | null;
  readonly problem: string | null;
}

/** The Sigma rules of the workspace, with their hits. */
export class Rules {
  progress = $state.raw<RulesProgress>(NOTHING);
  /** All about them, as far as someone has looked; null: nobody has. */
  state = $state.raw<RulesState | null>(null);
  /** The rules that the dialog offers; null: it is closed. */
  offer = $state.raw<Offer | null>(null);
  readonly #app: App;
  readonly #load = new Throttle(PAUSE_MS, () => this.#fetch());
  #watched = 0;

  constructor(app: App) {
    this.#app = app;
    app.client.on('rules', (progress) => this.#take(progress));
  }

  /** Whether there are rules, so that records may have hits. */
  get on(): boolean {
    return this.progress.state !== 'none';
  }

  /** Asks for them, when the engine has started. */
  async load(): Promise<void> {
    const state = await this.#app.client.request('rules.get', {});
    this.state = state;
    this.#take(state);
  }

  /** Keeps the list up to date until the returned function is called. */
  watch(): () => void {
    this.#watched++;
    this.#load.call();
    return () => this.#watched--;
  }

  /** Asks for a folder, and shows what is in it. */
  async choose(): Promise<void> {
    const chosen = await this.#app.attempt(this.#app.client.request('shell.chooseRules', {}));
    if (chosen !== null) await this.look(chosen.path);
  }

  /** Shows what is in a folder. @param path null: the rules that come with Sluicebox */
  async look(path: string | null): Promise<void> {
    this.offer = { path, look: null, problem: null };
    try {
      const look = await this.#app.client.request('rules.look', { path });
      if (this.offer?.path === path) this.offer = { path, look, problem: null };
    } catch (error) {
      if (this.offer?.path === path) this.offer = { path, look: null, problem: errorText(error) };
    }
  }

  /** Adds what is offered. */
  async add(): Promise<void> {
    const { offer } = this;
    if (offer === null) return;
    this.offer = null;
    await this.#ask(this.#app.client.request('rules.add', { path: offer.path }));
  }

  /** @param path null: the rules that come with Sluicebox */
  async remove(path: string | null): Promise<void> {
    await this.#ask(this.#app.client.request('rules.remove', { path }));
  }

  async set(key: string, on: boolean): Promise<void> {
    await this.#ask(this.#app.client.request('rules.set', { key, on }));
  }

  /** Stops the search, or goes on with it. */
  async run(on: boolean): Promise<void> {
    await this.#ask(this.#app.client.request('rules.run', { on }));
  }

  /** Shows the records of which a rule is true; without a title those of any rule. */
  showRecords(title: string | null = null): void {
    const constant = title === null ? null : quote(title);
    if (constant === null) this.#app.filterBy('hits of rules', `Fields[${RULE_FIELD}] != NIL`);
    else this.#app.filterBy(`rule: ${title}`, `Fields[${RULE_FIELD}] == ${constant}`);
  }

  async #ask(asking: Promise<unknown>): Promise<void> {
    await this.#app.attempt(asking);
    this.#load.call();
  }

  #take(progress: RulesProgress): void {
    const isSame = this.progress.hits === progress.hits && this.progress.state === progress.state;
    this.progress = progress;
    if (this.#watched > 0) this.#load.call();
    if (!isSame) this.#app.hitsChanged();
  }

  async #fetch(): Promise<void> {
    try {
      this.state = await this.#app.client.request('rules.get', {});
    } catch (error) {
      this.#app.fail(error);
    }
  }
}
