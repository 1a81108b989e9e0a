import type { Client } from '../../lib/api.ts';

/** Milliseconds for which what is known of the folder of lookups is taken as true. */
const FRESH_MS = 2_000;

/** The lookups that a filter can name, which are asked for when someone types of them. */
export class Lookups {
  readonly #client: Client;
  names = $state.raw<readonly string[]>([]);
  /** Columns by the names of lookups that were typed. */
  columns = $state.raw<Readonly<Record<string, readonly string[]>>>({});
  /** The last question, and its time. */
  #asked = { name: null as string | null, at: -Infinity };

  constructor(client: Client) {
    this.#client = client;
  }

  /** Someone typed this. */
  hear(typed: string): void {
    const name = /@([\w-]+)\.[^@]*$/.exec(typed)?.[1] ?? null;
    if (typed.includes('@') && (name !== this.#asked.name || performance.now() - this.#asked.at > FRESH_MS)) void this.load(name);
  }

  /** @param name of the lookup whose columns are wanted, too */
  async load(name: string | null = null): Promise<void> {
    this.#asked = { name, at: performance.now() };
    try {
      const { names, columns } = await this.#client.request('lookup.list', { name });
      if (names.join('\0') !== this.names.join('\0')) this.names = names;
      if (name !== null) this.columns = { ...this.columns, [name]: columns };
    } catch {
      // Without them nothing is offered, and the engine says what is wrong with a filter.
    }
  }
}
