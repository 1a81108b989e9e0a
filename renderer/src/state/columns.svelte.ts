import type { SourceInfo } from '../../../engine/api/types.ts';
import { longest, usualFields, type Lengths, type ShownLayout, type TableLayout } from '../lib/table/table-layout.ts';
import type { Engine } from './engine.svelte.ts';
import type { Prefs } from './prefs.svelte.ts';

const STATUS = 'status';
/** Fields of few values; only the first says more than a severity. */
const TELLING = [STATUS, 'programname', 'app-name', 'action', 'event'];

/** Records of a source after which the widths of its columns stay. */
const SETTLED = 256;

/** Sources that cannot share columns. */
const MIXED = 'mixed';

/** Identifies a kind of records: by the decoder of their source and its default columns. */
function kindOf({ decoder, columns }: Pick<SourceInfo, 'decoder' | 'columns'>): string {
  return decoder === null ? 'raw' : [decoder.name, ...columns].join(' ');
}

/** The columns of the record table: for each kind of records those that the user chose, else the default ones. */
export class Columns {
  readonly #prefs: Prefs;
  readonly #engine: Engine;
  readonly #filtered: () => readonly number[];
  readonly #severities: () => boolean;
  readonly #list: () => unknown;

  /**
   * @param filtered sources that the filter names; none: all
   * @param severities whether many records have a severity
   * @param list another value for another list of rows: only then the columns get other widths by themselves
   */
  constructor(prefs: Prefs, engine: Engine, filtered: () => readonly number[], severities: () => boolean, list: () => unknown) {
    this.#list = list;
    this.#severities = severities;
    this.#prefs = prefs;
    this.#engine = engine;
    this.#filtered = filtered;
  }

  readonly #sources = $derived.by(() => {
    const only = this.#filtered();
    const shown = this.#engine.sources.filter(({ id }) => only.length === 0 || only.includes(id));
    const read = shown.filter(({ records }) => records > 0);
    return read.length > 0 ? read : shown;
  });
  readonly #kind = $derived.by(() => {
    const [kind = MIXED, ...others] = this.#sources.map(kindOf);
    return others.every((other) => other === kind) ? kind : MIXED;
  });
  /** The columns of all of these sources, as a text: it stays the same while they do. */
  readonly #usual = $derived.by(() => {
    const [first, ...others] = this.#sources;
    return JSON.stringify((first?.columns ?? []).filter((name) => others.every(({ columns }) => columns.includes(name))));
  });
  readonly #usualNames = $derived(JSON.parse(this.#usual) as string[]);

  readonly #tabular = $derived(this.#kind !== MIXED && this.#sources.every(({ tabular }) => tabular));

  #kept: { readonly of: string; readonly list: unknown; readonly isSettled: boolean; readonly lengths: Lengths } | null = null;

  /** Characters of the longest values of the fields, as far as they were known when these rows were first shown: a column does not move under the pointer. */
  readonly lengths = $derived.by(() => {
    const of = JSON.stringify([this.#kind, this.#sources.map(({ id }) => id)]);
    const list = this.#list();
    if (this.#kept?.of === of && this.#kept.list === list && this.#kept.isSettled) return this.#kept.lengths;
    const lengths = this.#kind === MIXED ? {} : longest(this.#sources.map((source) => source.lengths));
    this.#kept = { of, list, isSettled: this.#sources.every(({ records }) => records >= SETTLED), lengths };
    return lengths;
  });

  /** Whether the user chose the columns for this kind of records, or their widths or order. */
  readonly chosen = $derived.by(() => this.#prefs.columns[this.#kind] !== undefined || this.#prefs.tables[this.#kind] !== undefined);
  readonly layout = $derived.by((): ShownLayout => {
    const fields = this.#prefs.columns[this.#kind];
    const base = { ...(this.#prefs.tables[this.#kind] ?? this.#prefs.table), tabular: this.#tabular };
    if (fields !== undefined) return { ...base, fields, usual: false };
    return { ...base, fields: usualFields(this.#usualNames, this.lengths), usual: true };
  });
  readonly names = $derived(this.layout.fields.map(({ name }) => name));

  /** The variable of the histogram's layers; null: severities. */
  readonly stackBy = $derived.by(() => {
    const wish = this.#prefs.stackBy;
    if (wish !== 'auto') return wish === 'severity' ? null : wish;
    const field = TELLING.find((name) => this.#usualNames.includes(name));
    // Sources of several kinds have no field that tells them apart, but their types do.
    if (this.#kind === MIXED && this.#sources.length > 1 && !this.#severities()) return 'Type';
    return field === undefined || (field !== STATUS && this.#severities()) ? null : `Fields[${field}]`;
  });

  has(name: string): boolean {
    return this.names.includes(name);
  }

  set({ fields, widths, hidden, kept = [], order = [] }: TableLayout): void {
    if (fields !== this.layout.fields) this.#prefs.columns = { ...this.#prefs.columns, [this.#kind]: fields };
    this.#prefs.tables = { ...this.#prefs.tables, [this.#kind]: { widths, hidden, kept, order } };
  }

  /** Returns to the default columns of this kind of records. */
  reset(): void {
    this.#prefs.columns = without(this.#prefs.columns, this.#kind);
    this.#prefs.tables = without(this.#prefs.tables, this.#kind);
  }
}

const without = <T>(kinds: Readonly<Record<string, T>>, kind: string): Record<string, T> =>
  Object.fromEntries(Object.entries(kinds).filter(([name]) => name !== kind));
