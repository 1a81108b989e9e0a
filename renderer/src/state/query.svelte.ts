import type { QueryFormat, QueryReply, QueryTable, SavedQuery } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';
import { isArrayOf, isString, readSaved, writeSaved, type TextStore } from '../lib/sources/saved.ts';
import type { App } from './app.svelte.ts';

/** Queries that are remembered, and the longest of them. */
const MAX_HISTORY = 300;
const MAX_LENGTH = 10_000;

const ENDINGS: Readonly<Record<QueryFormat, string>> = { csv: '.csv', 'exact-csv': '.csv', json: '.jsonl', parquet: '.parquet' };

/** The answer to a query, and the query. */
export interface Answered {
  readonly sql: string;
  readonly reply: QueryReply;
}

/** The Query view: what is asked, and the answer. */
export class QueryPage {
  /** Text of the editor. */
  sql = $state('');
  /** Rises when the text comes from elsewhere than the editor. */
  given = $state(0);
  tables = $state.raw<readonly QueryTable[]>([]);
  /** The reason for which the tables are not there; null: they are, or were not requested. */
  tablesProblem = $state<string | null>(null);
  answered = $state.raw<Answered | null>(null);
  /** Start of the running query (`performance.now`); null: none runs. */
  startedAt = $state<number | null>(null);
  history = $state.raw<readonly string[]>([]);
  saved = $state.raw<readonly SavedQuery[]>([]);
  /** The name of the saved query that is being edited. */
  name = $state<string | null>(null);
  /** Whether a name is asked for. */
  naming = $state(false);
  chart = $state(false);
  readonly #app: App;
  readonly #client: Client;
  readonly #store: TextStore;
  /** Place in the history; as long as it: the text is a new one. */
  #at = 0;
  #asked = 0;

  constructor(app: App, store: TextStore) {
    this.#app = app;
    this.#client = app.client;
    this.#store = store;
    this.history = readSaved(store, 'query.history', [], isArrayOf(isString)).slice(-MAX_HISTORY);
    this.sql = readSaved(store, 'query.text', '', isString);
    this.#at = this.history.length;
  }

  get running(): boolean {
    return this.startedAt !== null;
  }

  /** Asks for the tables as they are now, and for the saved queries. */
  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const tables = await this.#client.request('query.tables', {});
      if (asked === this.#asked) [this.tables, this.tablesProblem] = [tables, null];
    } catch (error) {
      if (asked === this.#asked) this.tablesProblem = errorText(error);
    }
  }

  async readSaved(): Promise<void> {
    this.saved = (await this.#app.attempt(this.#client.request('query.saved', {}))) ?? this.saved;
  }

  /** Puts a query into the editor. */
  give(sql: string, name: string | null = null): void {
    this.sql = sql;
    this.name = name;
    this.given++;
    this.#at = this.history.length;
  }

  /** Shows a query that says the same as something else, and runs it. */
  show(sql: string): void {
    this.give(sql);
    this.#app.show('query');
    void this.run();
  }

  async run(sql = this.sql): Promise<void> {
    if (this.running || sql.trim() === '') return;
    this.#remember(sql);
    this.startedAt = performance.now();
    let reply: QueryReply;
    try {
      reply = await this.#client.request('query.run', { sql });
    } catch (error) {
      reply = { kind: 'problem', text: errorText(error), at: null };
    }
    this.startedAt = null;
    this.answered = { sql, reply };
    // Columns may have come with the records that the query has seen.
    if (this.tables.length > 0) void this.refresh();
  }

  async cancel(): Promise<void> {
    if (this.running) await this.#app.attempt(this.#client.request('query.cancel', {}));
  }

  /** Goes to the query before the shown one in the history, or to the one behind it. */
  step(by: -1 | 1): void {
    const at = Math.min(Math.max(0, this.#at + by), this.history.length);
    if (at === this.#at) return;
    this.give(this.history[at] ?? '');
    this.#at = at;
  }

  /** Writes all rows of the query whose answer is shown into a file. */
  async export(format: QueryFormat): Promise<void> {
    const sql = this.answered?.sql;
    if (sql === undefined) return;
    const name = `${(this.name ?? 'query').replaceAll(/[^\w.-]+/g, '_')}${ENDINGS[format]}`;
    const chosen = await this.#app.attempt(this.#client.request('shell.chooseExport', { name, format }));
    if (chosen !== null) await this.#app.attempt(this.#client.request('query.export', { sql, format, path: chosen.path }));
  }

  /** Saves the query of the editor. */
  async save(name: string): Promise<boolean> {
    const saved = await this.#app.attempt(this.#client.request('query.save', { name, sql: this.sql }).then(() => true));
    if (saved === null) return false;
    this.name = name;
    this.naming = false;
    this.#app.toasts.show('info', `Saved in the workspace as “${name}”.`);
    await this.readSaved();
    return true;
  }

  async forget(name: string): Promise<void> {
    await this.#app.attempt(this.#client.request('query.forget', { name }));
    if (this.name === name) this.name = null;
    await this.readSaved();
  }

  /** Remembers the text of the editor for the next start. */
  keepText(): void {
    if (this.sql.length <= MAX_LENGTH) writeSaved(this.#store, 'query.text', this.sql);
  }

  #remember(sql: string): void {
    if (sql.length <= MAX_LENGTH) {
      this.history = [...this.history.filter((known) => known !== sql), sql].slice(-MAX_HISTORY);
      writeSaved(this.#store, 'query.history', this.history);
    }
    this.#at = this.history.length;
    this.keepText();
  }
}
