import type { FilterSet } from '../../../../engine/api/types.ts';
import type { Client } from '../../lib/api.ts';
import type { Filter } from '../../lib/filter/filter.ts';

/** The sets of filters that the workspace keeps. */
export class FilterSets {
  list = $state.raw<readonly FilterSet[]>([]);
  readonly #client: Client;
  readonly #failed: (error: unknown) => void;

  constructor(client: Client, failed: (error: unknown) => void) {
    this.#client = client;
    this.#failed = failed;
  }

  /** Asks for all, when the engine has started. */
  async load(): Promise<void> {
    this.list = await this.#client.request('filterSet.list', {});
  }

  /** Saves a stack under a name; a set of that name is replaced. @returns whether it is saved */
  async save(name: string, { stack, any }: Filter): Promise<boolean> {
    const filters = stack.map(({ id: _id, ...kept }) => kept);
    const saved = { name, any, filters };
    const known = this.list.some((set) => set.name === name);
    return this.#set(known ? this.list.map((set) => (set.name === name ? saved : set)) : [...this.list, saved]);
  }

  async remove(name: string): Promise<void> {
    await this.#set(this.list.filter((set) => set.name !== name));
  }

  async #set(sets: readonly FilterSet[]): Promise<boolean> {
    try {
      await this.#client.request('filterSet.set', { sets: [...sets] });
      this.list = sets;
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }
}

/** The part of the filter that a set stands for. */
export function stackOf({ any, filters }: FilterSet): Pick<Filter, 'stack' | 'any'> {
  return { any, stack: filters.map((kept, i) => ({ ...kept, id: i + 1 })) };
}
