import type {
  Histogram,
  Measure,
  MeasureAnswer,
  Measured,
  OverTime,
  QueryFilter,
  RecordQuery,
  RowsReply,
  Ticks,
  ViewFacts,
} from '../../engine/api/types.ts';
import { idAt, rowOf, severityAt, sourceAt, textOf, timeOf } from './records.ts';

const CHUNK = 40_000;

/** One view of the generated records: scans in pieces, as the engine does. Matcher expressions: only `Fields[status] == n` and `Severity == n`. */
export class MockView {
  readonly id: number;
  readonly #size: () => number;
  readonly #changed: (view: MockView) => void;
  #query: RecordQuery = {};
  #hits: number[] | null = null;
  #run = 0;
  #found: number[] = [];
  scanned = 0;
  revision = 0;

  constructor(id: number, size: () => number, changed: (view: MockView) => void) {
    this.id = id;
    this.#size = size;
    this.#changed = changed;
  }

  get total(): number {
    return this.#hits?.length ?? this.#size();
  }

  query(query: RecordQuery): void {
    for (const { regex, text, matcher } of query.filters ?? []) {
      if (regex === true) new RegExp(text ?? '');
      if (matcher !== undefined && !/[=!<>]/.test(matcher)) throw new Error(`expected an operator at position ${matcher.length + 1}`);
    }
    this.#query = query;
    this.revision++;
    this.#hits = Object.keys(query).length === 0 ? null : [];
    this.scanned = this.#hits === null ? this.#size() : 0;
    void this.#scan(++this.#run);
  }

  grown(): void {
    if (this.#hits === null) this.scanned = this.#size();
    else if (this.scanned < this.#size()) void this.#scan(++this.#run);
    this.#changed(this);
  }

  rows(start: number, count: number, columns: readonly string[]): RowsReply {
    const end = Math.min(this.total, start + count);
    const rows = [];
    for (let row = start; row < end; row++) rows.push(rowOf(this.#hits?.[row] ?? row, this.#size(), columns));
    return { total: this.total, start, rows, facts: this.facts };
  }

  get facts(): ViewFacts {
    const size = this.#size();
    return {
      span: size === 0 ? null : { from: timeOf(0, size), to: timeOf(size - 1, size) },
      severities: 'many',
      sources: [],
      type: null,
      texts: true,
      fractions: true,
      alike: {},
    };
  }

  seek(time: number): number {
    const id = idAt(time, this.#size());
    if (this.#hits === null) return id;
    const row = this.#hits.findIndex((hit) => hit >= id);
    return row === -1 ? this.#hits.length : row;
  }

  locate(id: number): number | null {
    const row = this.#hits === null ? id : this.#hits.indexOf(id);
    return row < 0 || row >= this.total ? null : row;
  }

  /** Finds a text in the first rows. @returns how many have it */
  find(text: string): number {
    const rows = Math.min(this.total, CHUNK);
    this.#found = [];
    for (let row = 0; row < rows && text !== ''; row++) {
      if (
        textOf(this.#hits?.[row] ?? row, this.#size())
          .toLowerCase()
          .includes(text.toLowerCase())
      )
        this.#found.push(row);
    }
    return this.#found.length;
  }

  hits(row: number): { before: number; hit: boolean } {
    return { before: this.#found.filter((found) => found < row).length, hit: this.#found.includes(row) };
  }

  nearest(row: number, forward: boolean): { row: number | null; wrapped: boolean } {
    const near = forward ? this.#found.find((found) => found > row) : this.#found.findLast((found) => found < row);
    return { row: near ?? (forward ? this.#found[0] : this.#found.at(-1)) ?? null, wrapped: near === undefined };
  }

  ticks(buckets: number): Ticks {
    const none = new Array<number>(Math.min(buckets, this.total)).fill(0);
    const hit = none.slice();
    for (const row of this.#found) hit[Math.floor((row * hit.length) / this.total)] = 0.5;
    return {
      hit,
      mark: none,
      rule: none,
      error: none.map((_none, i) => (i % 97 === 0 ? 0.3 : 0)),
      warning: none.map((_none, i) => (i % 31 === 0 ? 0.1 : 0)),
    };
  }

  /** The first variable counts; other numbers than counts are made up. */
  measure(measures: readonly Measure[], [variable]: readonly string[], over: OverTime | null, limit: number): MeasureAnswer {
    const counts = new Map<string, number>();
    const rows = Math.min(this.total, 5000);
    const name = /^Fields\[(.*?)\]/.exec(variable ?? '')?.[1] ?? variable;
    let missing = 0;
    for (let row = 0; row < rows && name !== undefined; row++) {
      const value = rowOf(this.#hits?.[row] ?? row, this.#size(), [name]).values[0] ?? null;
      if (value === null) missing++;
      else counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const { from = 0, to = 1, buckets } = over ?? { buckets: 0 };
    const measured = (records: number): Measured => ({
      records,
      numbers: measures.map((measure, i) => (measure === 'count' ? records : 100 * (i + 1))),
      series:
        over === null ? [] : measures.map((_measure, i) => Float64Array.from({ length: buckets }, (_bucket, at) => (i + 1) * (at % 7))),
    });
    const groups = [...counts].map(([value, count]) => ({ values: [value], ...measured(count) })).sort((a, b) => b.records - a.records);
    const bucketMs = (to - from) / Math.max(1, buckets);
    const whole = { without: 0, exact: true, from, bucketMs, looked: rows, total: rows, complete: true };
    return { groups: groups.slice(0, limit), all: measured(rows), distinct: counts.size, missing, ...whole };
  }

  histogram(buckets: number, from?: number, to?: number): Histogram {
    const size = this.#size();
    const start = from ?? timeOf(0, size);
    const end = to ?? timeOf(size - 1, size) + 1;
    const bucketMs = Math.max(1, (end - start) / buckets);
    const counts = Array.from({ length: 9 }, () => new Array<number>(buckets).fill(0));
    const step = Math.max(1, Math.floor(this.total / 50_000));
    for (let row = 0; row < this.total; row += step) {
      const id = this.#hits?.[row] ?? row;
      const bucket = Math.floor((timeOf(id, size) - start) / bucketMs);
      const of = counts[severityAt(id, size) ?? 8];
      if (of !== undefined && bucket >= 0 && bucket < buckets) of[bucket] = (of[bucket] ?? 0) + step;
    }
    const groups = counts.map((_row, severity) =>
      severity === 8 ? ({ kind: 'none', name: '' } as const) : ({ kind: 'severity', name: `${severity}` } as const),
    );
    return { from: start, to: end, bucketMs, groups, counts, covered: { from: start, to: end }, complete: true };
  }

  async #scan(run: number): Promise<void> {
    while (this.#hits !== null && run === this.#run && this.scanned < this.#size()) {
      const end = Math.min(this.#size(), this.scanned + CHUNK);
      for (let id = this.scanned; id < end; id++) if (this.#matches(id)) this.#hits.push(id);
      this.scanned = end;
      this.#changed(this);
      await new Promise((done) => setTimeout(done, 30));
    }
    if (run === this.#run) this.#changed(this);
  }

  #matches(id: number): boolean {
    const size = this.#size();
    const { filters = [], any = false, from, to, sources } = this.#query;
    if (sources !== undefined && !sources.includes(sourceAt(id, size))) return false;
    const time = timeOf(id, size);
    if ((from !== undefined && time < from) || (to !== undefined && time >= to)) return false;
    const fits = (filter: QueryFilter): boolean => this.#fits(id, filter);
    const shown = filters.filter(({ out }) => out !== true);
    if (filters.some((filter) => filter.out === true && fits(filter))) return false;
    return any ? shown.some(fits) : shown.every(fits);
  }

  #fits(id: number, { text, regex = false, caseSensitive = false, matcher = '' }: QueryFilter): boolean {
    const size = this.#size();
    const severity = /Severity == (\d)/.exec(matcher);
    if (severity !== null && String(severityAt(id, size)) !== severity[1]) return false;
    const status = /Fields\[status\] == (\d+)/.exec(matcher);
    if (status !== null && rowOf(id, size, ['status']).values[0] !== status[1]) return false;
    if (text === undefined) return true;
    const line = textOf(id, size);
    if (regex) return new RegExp(text, caseSensitive ? '' : 'i').test(line);
    return caseSensitive ? line.includes(text) : line.toLowerCase().includes(text.toLowerCase());
  }
}
