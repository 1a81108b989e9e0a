import { COLUMN_ORDER } from '../../api/headers.ts';
import type { Overview } from '../../api/overview-types.ts';
import { Serial } from '../../base/time/serial.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { FieldColumn, IntColumn, TextColumn } from '../../message/batch/columns.ts';
import { takeRows } from '../../message/batch/take-rows.ts';
import { ValueType } from '../../message/types.ts';
import { SchemaCounts } from '../../outputs/schema-counts.ts';
import { SchemaSamples, schemaTree } from '../../outputs/schema-tree.ts';
import type { RecordStore } from '../record-store.ts';
import { SegmentScan } from '../segment-scan.ts';
import { withoutRaw } from '../segment.ts';
import { millisecondsOf } from '../times.ts';
import type { ViewEntry } from '../view-entry.ts';
import type { RecordView } from '../view.ts';
import { FieldTally, NO_PART } from './field-tally.ts';
import { PARTS } from './value-tally.ts';

/** Fields that are counted: a stream that invents names must not take all memory. */
const MOST_FIELDS = 500;
/** Different values of one field that are kept, and of all fields together. */
const MOST_VALUES = 20_000;
const MOST_VALUES_OF_ALL = 400_000;
/** Fields among which the values of all are shared at least. */
const LEAST_SHARES = 20;
/** Share of the entries by which each step goes on, so that those that were visited lie evenly over all. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Headers that stand for themselves; the payload is a text, and has patterns. */
const HEADERS = COLUMN_ORDER.filter(({ member }) => member !== 'payload');

/**
 * Counts the fields and the schema of the records that a view shows when it begins, from their columns. The entries are visited in an order that lies evenly
 * over all of them: until all were visited, the counts are those of a sample from all over the log.
 */
export class OverviewCount {
  /** The view's generation at the beginning: records that come later are no reason to begin anew. */
  readonly generation: number;
  readonly total: number;
  readonly #scan: SegmentScan;
  readonly #entries: readonly ViewEntry[];
  readonly #turns = new Serial();
  readonly #fields = new Map<string, FieldTally>();
  readonly #schema = new SchemaCounts();
  readonly #samples = new SchemaSamples();
  readonly #counts = new Uint32Array(PARTS);
  readonly #from: number;
  readonly #to: number;
  #others = new Set<string>();
  #at = 0;
  #records = 0;

  constructor(store: RecordStore, view: RecordView) {
    this.#scan = new SegmentScan(store, null);
    this.generation = view.generation;
    this.#entries = spread(view.entries.filter(({ count }) => count > 0));
    this.total = this.#entries.reduce((sum, { count }) => sum + count, 0);
    const { span } = view.facts;
    this.#from = span?.from ?? 0;
    this.#to = span?.to ?? 0;
  }

  get complete(): boolean {
    return this.#at >= this.#entries.length;
  }

  /** Goes on for about so many milliseconds. */
  advance(budgetMs: number): Promise<void> {
    return this.#turns.run(async () => {
      const deadline = performance.now() + budgetMs;
      while (!this.complete && performance.now() < deadline) {
        const entry = this.#entries[this.#at] as ViewEntry;
        this.#add(entry, await this.#scan.read(entry.segment, this.#entries[this.#at + 1]?.segment));
        this.#at++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
  }

  /** The counts so far. @param field tells this one alone */
  overview(values: number, field: string | null = null): Overview {
    const tallies = [...this.#fields.values()].filter(({ name }) => field === null || name === field);
    const fields = tallies.filter(({ records }) => records > 0).map((tally) => tally.facts(values));
    return {
      fields: fields.sort((a, b) => Number(a.isHeader) - Number(b.isHeader) || b.records - a.records),
      others: this.#others.size,
      loggers: schemaTree([this.#schema.loggers()], [this.#samples]),
      counts: [...this.#counts],
      from: this.#from,
      to: this.#to,
      records: this.#records,
      total: this.total,
      complete: this.complete,
    };
  }

  #add({ rows, count }: ViewEntry, stored: MessageBatch): void {
    const batch = withoutRaw(stored);
    const parts = this.#partsOf(batch, rows);
    const counts = new Uint32Array(PARTS);
    for (const part of parts) if (part !== NO_PART) counts[part] = (counts[part] as number) + 1;
    for (let part = 0; part < PARTS; part++) this.#counts[part] = (this.#counts[part] as number) + (counts[part] as number);
    this.#records += count;
    for (const { name, columns } of byName(batch.fields)) {
      const seen = columns.length > 1 ? new Uint8Array(batch.length) : null;
      for (const column of columns) this.#tallyOf(name, false)?.addColumn(column, parts, seen);
    }
    for (const { name, member } of HEADERS) this.#addHeader(name, batch[member], parts, counts);
    const shown = rows === null ? batch : takeRows(batch, Uint32Array.from(rows));
    this.#schema.observe(shown);
    this.#samples.observe(shown);
  }

  #addHeader(name: string, column: TextColumn | IntColumn | null, parts: Uint8Array, counts: Uint32Array): void {
    if (column === null) return;
    const tally = this.#tallyOf(name, true);
    if (column.constant !== undefined) tally?.addConstant(column.constant, counts);
    else tally?.addColumn(asField(name, column), parts, null);
  }

  /** The part of the time of each row that is shown. */
  #partsOf({ timestamps, length }: MessageBatch, rows: ViewEntry['rows']): Uint8Array {
    const times = millisecondsOf(timestamps);
    const scale = this.#to > this.#from ? PARTS / (this.#to - this.#from) : 0;
    const parts = new Uint8Array(length).fill(NO_PART);
    const count = rows?.length ?? length;
    for (let i = 0; i < count; i++) {
      const row = rows === null ? i : (rows[i] as number);
      parts[row] = Math.min(PARTS - 1, Math.max(0, Math.floor(((times[row] as number) - this.#from) * scale)));
    }
    return parts;
  }

  /** null: there are too many fields. */
  #tallyOf(name: string, isHeader: boolean): FieldTally | null {
    const key = isHeader ? `header ${name}` : `field ${name}`;
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    if (this.#fields.size >= MOST_FIELDS) {
      if (this.#others.size < MOST_FIELDS) this.#others.add(name);
      return null;
    }
    const shares = Math.max(LEAST_SHARES, this.#fields.size);
    const tally = new FieldTally(name, isHeader, Math.min(MOST_VALUES, Math.floor(MOST_VALUES_OF_ALL / shares)));
    this.#fields.set(key, tally);
    return tally;
  }
}

function byName(fields: readonly FieldColumn[]): { readonly name: string; readonly columns: readonly FieldColumn[] }[] {
  const groups = Map.groupBy(fields, ({ name }) => name);
  return [...groups].map(([name, columns]) => ({ name, columns }));
}

/** A column of a header as one of a field. */
function asField(name: string, column: Exclude<TextColumn | IntColumn, { readonly constant: string | number }>): FieldColumn {
  const { rows } = column;
  const base = { name, representation: null, offsets: null, rows };
  if ('values' in column) return { ...base, valueType: ValueType.DOUBLE, values: Float64Array.from(column.values) };
  return { ...base, valueType: ValueType.STRING, values: column };
}

/** The same entries in an order in which each beginning lies evenly over all of them. */
function spread<T>(entries: readonly T[]): T[] {
  const { length } = entries;
  let step = Math.max(1, Math.round(length * GOLDEN));
  while (length > 0 && divisor(step, length) !== 1) step++;
  return Array.from({ length }, (_unused, i) => entries[(i * step) % length] as T);
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
