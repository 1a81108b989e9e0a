import type { AllRequests } from '../../../../engine/api/types.ts';
import { errorText, type Client } from '../../lib/api.ts';
import { isSearch, NO_SEARCH, type SearchCount, type SearchText } from '../../lib/filter/search.ts';
import { readSaved, writeSaved, type TextStore } from '../../lib/sources/saved.ts';

const TYPING_MS = 80;

interface SearchOptions {
  readonly client: Client;
  readonly store: TextStore;
  readonly view: () => number | null;
  /** The row where someone is: that of the cursor, or the first one that is shown. */
  readonly here: () => number;
  readonly cursor: () => number | null;
  /** The hit nearest to a row; null: someone went elsewhere. */
  readonly nearest: (row: number, forward: boolean) => Promise<AllRequests['view.nearest']['out'] | null>;
  /** Puts the cursor on a row and shows it. */
  readonly goTo: (row: number) => void;
  /** Hits are there, or are gone. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

/** The search of the Logs view: it finds records and leaves all of them there. */
export class Search {
  /** The text that is searched, or that would be. */
  query = $state.raw<SearchText>(NO_SEARCH);
  /** Whether the bar is shown and hits are marked. The text stays when it is closed. */
  active = $state(false);
  /** The reason why nothing can be found. */
  problem = $state<string | null>(null);
  count = $state.raw<SearchCount | null>(null);
  /** Number of the selected hit, from 1; null: the selected record is none. */
  number = $state<number | null>(null);
  /** The last step went over the end of the list. */
  wrapped = $state(false);
  /** Counts the hits that it went to. */
  arrivals = $state(0);
  readonly #options: SearchOptions;
  #typing: ReturnType<typeof setTimeout> | undefined;
  /** Row where someone was when the search began. */
  #from = 0;
  /** Counts what was asked, so that a late answer is left alone. */
  #asked = 0;
  /** Counts the ways to a hit: only the last one leads anywhere. */
  #going = 0;
  #counting = false;
  #countAgain = false;
  /** Whether the next Enter gives the focus to the records. */
  #leaves = false;
  /** Whether the text was changed since the bar was opened: its first hit is shown already. */
  #changed = false;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.query = readSaved(options.store, 'search', NO_SEARCH, isSearch);
    options.client.on('search.changed', ({ view, ...count }) => {
      if (view !== options.view() || !this.active || this.problem !== null) return;
      this.count = count;
      options.changed();
      this.moved();
    });
  }

  /** Shows the bar. @param leaves whether Enter ends the typing, as in less; else it goes to the next hit, as in a browser */
  open(leaves = false): void {
    this.#leaves = leaves;
    this.#changed = false;
    this.#from = this.#options.here();
    if (this.active) return;
    this.active = true;
    this.#begin(false);
  }

  /** Ends the search; the text stays for the next one. */
  close(): void {
    if (!this.active) return;
    this.active = false;
    this.#forget();
    void this.#search({ ...this.query, text: '' }).catch(() => undefined);
  }

  /** Changes the search, and goes to its first hit. @param typing more may follow at once: waits a moment */
  change(part: Partial<SearchText>, typing = false): void {
    this.query = { ...this.query, ...part };
    this.#changed = true;
    writeSaved(this.#options.store, 'search', this.query);
    // Hits of the text before must not stay below another one.
    this.#forget();
    if (typing) this.#typing = setTimeout(() => this.#begin(true), TYPING_MS);
    else this.#begin(true);
  }

  /** Enter was pressed in the field. @returns whether the focus goes to the records, where n and N go on */
  enter(): boolean {
    if (this.problem !== null) return false;
    const leaves = this.#leaves;
    if (!leaves || !this.#changed) void this.step(true);
    this.#leaves = false;
    return leaves;
  }

  /** Goes to the next hit, or to the one before. */
  async step(forward: boolean): Promise<void> {
    if (this.query.text === '') return;
    // The engine still searches the text before: the first hit of this one comes next.
    if (this.#typing !== undefined) return this.#begin(true);
    if (!this.active) {
      this.active = true;
      this.#begin(false);
    }
    const from = this.#options.cursor() ?? (forward ? this.#options.here() - 1 : this.#options.here());
    await this.#goFrom(from, forward);
    this.#from = this.#options.here();
  }

  /** The cursor is on another record, or rows stand elsewhere: finds out which hit it is on. */
  moved(): void {
    if (this.#counting) this.#countAgain = true;
    else void this.#findNumber();
  }

  /** There is another view, which knows nothing of the search. */
  restart(): void {
    if (this.active) this.#begin(false);
  }

  #forget(): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    this.#asked++;
    this.problem = null;
    this.count = null;
    this.number = null;
    this.wrapped = false;
    this.#options.changed();
  }

  #begin(go: boolean): void {
    this.#forget();
    void this.#run(go);
  }

  async #run(go: boolean): Promise<void> {
    const [asked, going] = [this.#asked, this.#going];
    try {
      await this.#search(this.query);
    } catch (error) {
      if (asked === this.#asked) this.problem = errorText(error);
      return;
    }
    // Someone may have stepped to a hit meanwhile.
    const isFirst = asked === this.#asked && going === this.#going;
    if (go && isFirst && this.query.text !== '') await this.#goFrom(this.#from - 1, true);
  }

  async #search(search: SearchText): Promise<void> {
    const view = this.#options.view();
    if (view === null) return;
    try {
      await this.#options.client.request('view.search', { view, search, near: Math.max(0, this.#from) });
    } finally {
      // The hits before are gone, also when nothing is found now.
      this.#options.changed();
    }
  }

  async #goFrom(row: number, forward: boolean): Promise<void> {
    if (this.#options.view() === null) return;
    const [asked, going] = [this.#asked, ++this.#going];
    try {
      const found = await this.#options.nearest(Math.max(-1, row), forward);
      if (asked !== this.#asked || going !== this.#going || found === null || found.row === null) return;
      this.wrapped = found.wrapped;
      this.#options.goTo(found.row);
      this.arrivals++;
    } catch (error) {
      this.#options.failed(error);
    }
  }

  async #findNumber(): Promise<void> {
    this.#counting = true;
    try {
      do {
        this.#countAgain = false;
        const asked = this.#asked;
        const number = await this.#numberOf(this.#options.cursor());
        if (asked === this.#asked) this.number = number;
      } while (this.#countAgain);
    } catch {
      // The view is another one by now.
      this.number = null;
    }
    this.#counting = false;
  }

  async #numberOf(row: number | null): Promise<number | null> {
    const view = this.#options.view();
    if (view === null || row === null || this.count === null) return null;
    const { before, hit } = await this.#options.client.request('view.hits', { view, row });
    return hit ? before + 1 : null;
  }
}
