import type { Highlighter } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';

/** The rules by which the table colours texts and rows. */
export class Highlighters {
  list = $state.raw<readonly Highlighter[]>([]);
  /** The rules in the dialog, while it is open. */
  draft = $state.raw<readonly Highlighter[] | null>(null);
  /** The reason why the rules in the dialog cannot be used. */
  problem = $state<string | null>(null);
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Asks for all, when the engine has started. */
  async load(): Promise<void> {
    this.list = await this.#client.request('highlighter.list', {});
  }

  /** Opens the dialog. @param added rules that are added to those that are there */
  edit(...added: readonly Highlighter[]): void {
    this.problem = null;
    this.draft = [...this.list, ...added];
  }

  /** Uses the rules of the dialog and closes it, unless they are wrong. */
  async apply(): Promise<void> {
    const { draft } = this;
    if (draft === null) return;
    try {
      await this.#client.request('highlighter.set', { highlighters: [...draft] });
      this.list = draft;
      this.draft = null;
    } catch (error) {
      this.problem = errorText(error);
    }
  }
}
