import type { AskedCall, AssistantsState } from '../../../engine/api/types.ts';
import type { App } from './app.svelte.ts';

/** Milliseconds for which the status bar says that an assistant has asked. */
const RECENT_MS = 60_000;

/** Files that assistants may ask about, and their questions. */
export class Assistants {
  redact = $state(true);
  granted = $state.raw<readonly string[]>([]);
  asked = $state.raw<readonly AskedCall[]>([]);
  /** Whether the list of what was asked is shown. */
  open = $state(false);
  /** Whether one has asked within the last minute. */
  isRecent = $state(false);
  readonly #app: App;
  #ending: ReturnType<typeof setTimeout> | undefined;

  constructor(app: App) {
    this.#app = app;
    app.client.on('assistants', (state) => this.#take(state));
  }

  /** Asks for all, when the engine has started. */
  async load(): Promise<void> {
    this.#take(await this.#app.client.request('assistants.get', {}));
  }

  isGranted(location: string): boolean {
    return this.granted.includes(location);
  }

  /** Lets assistants ask about an open source. */
  async grant(source: number): Promise<void> {
    await this.#app.attempt(this.#app.client.request('assistants.grant', { source }));
  }

  /** @param location null: all */
  async takeBack(location: string | null): Promise<void> {
    await this.#app.attempt(this.#app.client.request('assistants.takeBack', { location }));
  }

  async setRedact(on: boolean): Promise<void> {
    await this.#app.attempt(this.#app.client.request('assistants.redact', { on }));
  }

  /** Forgets what was asked. */
  async forget(): Promise<void> {
    await this.#app.attempt(this.#app.client.request('assistants.forget', {}));
  }

  #take({ redact, granted, asked }: AssistantsState): void {
    this.redact = redact;
    this.granted = granted;
    this.asked = asked;
    clearTimeout(this.#ending);
    const left = (asked[0]?.at ?? -Infinity) + RECENT_MS - Date.now();
    this.isRecent = left > 0;
    if (left > 0) this.#ending = setTimeout(() => (this.isRecent = false), Math.min(left, RECENT_MS));
  }
}
