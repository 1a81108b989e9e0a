import { formatTimeSeconds } from '../../../engine/api/time/time.ts';
import type { Difference, RecordQuery, SourceInfo } from '../../../engine/api/types.ts';
import { errorText } from '../lib/api.ts';
import { narrowed } from '../lib/charts/record-graph.ts';
import { byMatcher, toQuery, type Filter } from '../lib/filter/filter.ts';
import type { App } from './app.svelte.ts';

/** Two sides, as the dialog names them. */
export interface Comparison {
  readonly a: string;
  readonly b: string;
  readonly sides: { readonly a: RecordQuery; readonly b: RecordQuery; readonly without: string[] };
  /** The time of both sides, which the records of a row are of; null: it stays as it is. */
  readonly time: { readonly from: number | null; readonly to: number | null } | null;
}

/** Compares two sides of the records that the Logs show. */
export class Comparing {
  /** null: the dialog is closed. */
  current = $state.raw<Comparison | null>(null);
  /** null: the first answer is on its way. */
  answer = $state.raw<Difference | null>(null);
  problem = $state<string | null>(null);
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Whether a time has a beginning, before which others are. */
  get canCompareTime(): boolean {
    return this.#app.logs.filter.from !== null;
  }

  /** The time between the first and the last mark; null: there are no two times. */
  get markedTime(): { readonly from: number; readonly to: number } | null {
    const times = this.#app.marks.list.map(({ time }) => time);
    const [from, last] = [Math.min(...times), Math.max(...times)];
    return from < last ? { from, to: last + 1 } : null;
  }

  /** The time of the selected record; null: none is selected. */
  get selectedTime(): number | null {
    const { selection, rows } = this.#app.logs;
    return selection.cursor === null ? null : (rows.get(selection.cursor)?.time ?? null);
  }

  /** The source that can be compared with others: the only one that is shown, or the later one of two; null: there is none. */
  get source(): SourceInfo | null {
    const { sources } = this.#app.engine;
    const [shown, another] = this.#app.logs.filter.sources;
    if (sources.length < 2 || another !== undefined) return null;
    if (shown !== undefined) return sources.find(({ id }) => id === shown) ?? null;
    return sources.length === 2 ? (sources[1] ?? null) : null;
  }

  /** Compares the chosen time with the same length of time before it. */
  compareTime(): void {
    const { from, to } = this.#app.logs.filter;
    if (from !== null) this.#compareTime(from, to, 'this time');
  }

  /** Compares what is shown from a time on with the time before it. @param name the time, as it is written */
  compareFrom(time: number, name: string): void {
    const { filter } = this.#app.logs;
    const [a, b] = [toQuery({ ...filter, to: time }), toQuery({ ...filter, from: time })];
    void this.open({ a: 'before it', b: `from ${name} on`, sides: { a, b, without: [] }, time: null });
  }

  /** Compares what is shown from the selected record on with the time before it. */
  compareHere(): void {
    const time = this.selectedTime;
    if (time !== null) this.compareFrom(time, formatTimeSeconds(time, this.#app.prefs.zone));
  }

  /** The same with the time between the first and the last mark. */
  compareMarked(): void {
    const time = this.markedTime;
    if (time !== null) this.#compareTime(time.from, time.to, 'the time between the first and the last mark');
  }

  #compareTime(from: number, to: number | null, name: string): void {
    const { filter } = this.#app.logs;
    const begin = to === null ? null : from - (to - from);
    const a: Filter = { ...filter, from: begin, to: from };
    void this.open({
      a: begin === null ? 'before it' : 'as long before it',
      b: name,
      sides: { a: toQuery(a), b: toQuery({ ...filter, from, to }), without: [] },
      time: { from: begin, to },
    });
  }

  /** Compares the records with a value with all others that are shown. @param expression selects them */
  compareValue(label: string, expression: string, without: string[]): void {
    const { filter } = this.#app.logs;
    const b = narrowed(byMatcher(label, expression), filter);
    if (b === null) return;
    void this.open({ a: 'all others', b: label, sides: { a: toQuery(filter), b: toQuery(b), without }, time: null });
  }

  /** The sources beside one, as they are named. */
  othersOf({ id }: SourceInfo): string {
    const [other, another] = this.#app.engine.sources.filter((source) => source.id !== id);
    return other === undefined || another !== undefined ? 'all other sources' : other.label;
  }

  /** Compares the records of a source with those of all others. */
  compareSource(source: SourceInfo): void {
    const { filter } = this.#app.logs;
    const all: Filter = { ...filter, sources: [] };
    void this.open({
      a: this.othersOf(source),
      b: source.label,
      sides: { a: toQuery(all), b: toQuery({ ...all, sources: [source.id] }), without: [] },
      time: null,
    });
  }

  close(): void {
    this.current = null;
  }

  /** Puts the sentences into the incident. */
  keep(): void {
    const { current, answer } = this;
    if (current === null || answer === null) return;
    this.close();
    const title = `${current.b}, compared with ${current.a}`;
    void this.#app.incident.change({ difference: { title, sentences: answer.rows.map(({ text }) => text) } });
    this.#app.show('incident');
  }

  /** Shows the records of a row. */
  show(label: string, expression: string): void {
    const time = this.current?.time ?? null;
    this.close();
    if (time !== null) this.#app.logs.change(time);
    this.#app.filterBy(label, expression);
  }

  async open(comparison: Comparison): Promise<void> {
    this.current = comparison;
    this.answer = null;
    this.problem = null;
    try {
      do {
        const answer = await this.#app.client.request('records.compare', comparison.sides);
        if (this.current !== comparison) return;
        this.answer = answer;
      } while (!this.answer.complete);
    } catch (error) {
      if (this.current === comparison) this.problem = errorText(error);
    }
  }
}
