import type { Mark } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import { marksByRecord } from '../lib/marks.ts';

/** The marks of the open sources, and their list beside the records. */
export class Marks {
  list = $state.raw<readonly Mark[]>([]);
  /** Whether the list is shown in the place of the inspector. */
  open = $state(false);
  readonly byRecord = $derived(marksByRecord(this.list));
  readonly #client: Client;
  readonly #failed: (error: unknown) => void;

  constructor(client: Client, changed: () => void, failed: (error: unknown) => void) {
    this.#client = client;
    this.#failed = failed;
    client.on('marks', ({ marks }) => {
      this.list = marks;
      changed();
    });
  }

  /** Asks for all, when the engine has started. */
  async load(): Promise<void> {
    await this.#ask(async () => {
      this.list = await this.#client.request('mark.list', {});
    });
  }

  /** Marks a record, or takes its mark away. */
  async toggle(record: number): Promise<void> {
    const on = !this.byRecord.has(record);
    await this.#ask(() => this.#client.request('mark.set', { record, on }));
  }

  async note({ key }: Mark, note: string): Promise<void> {
    await this.#ask(() => this.#client.request('mark.note', { key, note }));
  }

  async remove({ key }: Mark): Promise<void> {
    await this.#ask(() => this.#client.request('mark.remove', { key }));
  }

  async #ask(asking: () => Promise<unknown>): Promise<void> {
    try {
      await asking();
    } catch (error) {
      this.#failed(error);
    }
  }
}
