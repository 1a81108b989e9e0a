import type { PartChanges } from '../api/types.ts';

interface Known<T> {
  readonly part: T;
  readonly text: string;
}

/** Notes which parts of the state have changed since they were told last. */
export class PartNews<T extends { readonly id: number | string }> {
  #known: ReadonlyMap<T['id'], Known<T>> = new Map();
  #order = '';
  #told = '';
  readonly #changed = new Set<T['id']>();

  /** Takes the parts as they are now. What was changed and changed back counts as changed: somebody may have asked in between. */
  look(parts: readonly T[]): readonly T[] {
    const known = new Map<T['id'], Known<T>>();
    for (const part of parts) {
      const text = JSON.stringify(part);
      const before = this.#known.get(part.id);
      known.set(part.id, before?.text === text ? before : { part, text });
      if (before?.text !== text) this.#changed.add(part.id);
    }
    for (const id of this.#known.keys()) if (!known.has(id)) this.#changed.delete(id);
    this.#known = known;
    this.#order = JSON.stringify([...known.keys()]);
    return [...known.values()].map(({ part }) => part);
  }

  /** Whether there is something to tell. */
  get isNew(): boolean {
    return this.#changed.size > 0 || this.#order !== this.#told;
  }

  /** The changes since the last call, and the number of their characters. */
  take(): { readonly changes: PartChanges<T>; readonly characters: number } {
    const news = [...this.#changed].flatMap((id) => this.#known.get(id) ?? []);
    const ids = this.#order === this.#told ? null : [...this.#known.keys()];
    this.#changed.clear();
    this.#told = this.#order;
    return { changes: { changed: news.map(({ part }) => part), ids }, characters: news.reduce((sum, { text }) => sum + text.length, 0) };
  }
}
