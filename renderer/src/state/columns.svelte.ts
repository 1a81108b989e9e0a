import type { SourceInfo } from '../../../engine/api/types.ts';
import { longest, showsBase, usualFields, type Lengths, type ShownLayout, type TableLayout } from '../lib/table/table-layout.ts';
import { columnVariable } from '../../../engine/api/columns.ts';
import { steady } from '../lib/time/steady.ts';
import type { Engine } from './engine.svelte.ts';
import type { Prefs } from './prefs.svelte.ts';

const STATUS = 'status';
/** Fields of few values; only the first says more than a severity. */
const TELLING = [STATUS, 'programname', 'app-name', 'action', 'event'];

/** Records of a source after which the widths of its columns stay. */
const SETTLED = 256;

/** Records of several forms, which cannot share columns. */
const MIXED = 'mixed';

/** The form of records, and the fields that say most of them. */
interface Form {
  readonly kind: string;
  readonly columns: readonly string[];
}

/** Identifies the form of a source's records: by its decoder and the default columns. */
function formOf({ kind, decoder, columns }: SourceInfo): Form {
  // The files that describe a machine have a decoder each.
  if (kind === 'workstation') return { kind: MIXED, columns: [] };
  return { kind: decoder === null ? 'raw' : [decoder.name, ...columns].join(' '), columns };
}

/** The form that all of the sources have. Of one decoder, one may have more of the same fields; of several, all must have the same. */
function commonForm(sources: readonly SourceInfo[]): Form {
  const [first, ...others] = sources;
  if (first === undefined) return { kind: MIXED, columns: [] };
  const fewest = others.reduce((least, source) => (source.columns.length < least.columns.length ? source : least), first);
  const isOneDecoder = sources.every(({ decoder }) => decoder?.name === first.decoder?.name);
  const isAlike = sources.every(
    ({ columns }) => fewest.columns.every((name) => columns.includes(name)) && (isOneDecoder || columns.length === fewest.columns.length),
  );
  return isAlike && (isOneDecoder || fewest.columns.length > 0) ? formOf(fewest) : { kind: MIXED, columns: [] };
}

interface ColumnsOptions {
  readonly prefs: Prefs;
  readonly engine: Pick<Engine, 'sources'>;
  /** Sources that the records are of that are shown; none: it is not known yet. */
  readonly shown: () => readonly number[];
  /** Fields that the filter names. */
  readonly named: () => readonly string[];
  /** Whether many records have a severity. */
  readonly severities: () => boolean;
  /** Another value for another list of rows: only then the columns get other widths by themselves. */
  readonly list: () => unknown;
}

/** The columns of the record table: for each form of the records that are shown those that the user chose, else the default ones. */
export class Columns {
  readonly #prefs: Prefs;
  readonly #options: ColumnsOptions;

  constructor(options: ColumnsOptions) {
    this.#options = options;
    this.#prefs = options.prefs;
  }

  /** The sources that the records are of that are shown. */
  readonly sources = $derived.by((): readonly SourceInfo[] => {
    const { engine, shown } = this.#options;
    const ids = shown();
    const known = engine.sources.filter(({ id }) => ids.includes(id));
    if (known.length > 0) return known;
    const read = engine.sources.filter(({ records }) => records > 0);
    return read.length > 0 ? read : engine.sources;
  });
  /** Their form, as a text: it stays the same while they do. */
  readonly #form = $derived(JSON.stringify(commonForm(this.sources)));
  readonly #common = $derived(JSON.parse(this.#form) as Form);
  readonly #kind = $derived(this.#common.kind);
  readonly #isMixed = $derived(this.#kind === MIXED);
  readonly #sameNamed = steady<readonly string[]>();
  /** Fields of the filter that have no column yet. */
  readonly #named = $derived.by(() => this.#sameNamed(this.#options.named().filter((name) => !this.#common.columns.includes(name))));
  readonly #tabular = $derived(!this.#isMixed && this.sources.every(({ tabular }) => tabular));

  #kept: { readonly of: string; readonly list: unknown; readonly isSettled: boolean; readonly lengths: Lengths } | null = null;

  /** Characters of the longest values of the fields, as far as they were known when these rows were first shown: a column does not move under the pointer. */
  readonly lengths = $derived.by(() => {
    const of = JSON.stringify([this.#kind, this.sources.map(({ id }) => id)]);
    const list = this.#options.list();
    if (this.#kept?.of === of && this.#kept.list === list && this.#kept.isSettled) return this.#kept.lengths;
    const lengths = longest(this.sources.map((source) => source.lengths));
    this.#kept = { of, list, isSettled: this.sources.every(({ records }) => records >= SETTLED), lengths };
    return lengths;
  });

  /** Whether the user chose the columns for this kind of records, or their widths or order. */
  readonly chosen = $derived.by(() => this.#prefs.columns[this.#kind] !== undefined || this.#prefs.tables[this.#kind] !== undefined);
  readonly layout = $derived.by((): ShownLayout => {
    const fields = this.#prefs.columns[this.#kind];
    const table = this.#prefs.tables[this.#kind] ?? this.#prefs.table;
    const base = { ...table, tabular: this.#tabular, mixed: this.#isMixed };
    if (fields !== undefined) return { ...base, fields, usual: false };
    // They are what someone looks for, also where a narrow window has room for few.
    const kept = [...(table.kept ?? []), ...this.#options.named().map(columnVariable)];
    return { ...base, kept, fields: usualFields([...this.#common.columns, ...this.#named], this.lengths), usual: true };
  });
  readonly names = $derived(this.layout.fields.map(({ name }) => name));

  /** The variable of the histogram's layers; null: severities. */
  readonly stackBy = $derived.by(() => {
    const wish = this.#prefs.stackBy;
    if (wish !== 'auto') return wish === 'severity' ? null : wish;
    const field = TELLING.find((name) => this.#common.columns.includes(name));
    // Sources of several kinds have no field that tells them apart, but their types do.
    if (this.#isMixed && this.sources.length > 1 && !this.#options.severities()) return 'Type';
    return field === undefined || (field !== STATUS && this.#options.severities()) ? null : `Fields[${field}]`;
  });

  /** Facts that rows must tell beside their columns, for the columns that are shown. */
  readonly more = $derived((['summary', 'since'] as const).filter((base) => showsBase(this.layout, base)));

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
