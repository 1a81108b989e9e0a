import type { LogPatterns, PatternLine } from '../api/pattern-types.ts';
import { Drain } from '../../plugins/modules/drain.ts';
import { logWords, MAX_LENGTH } from '../../plugins/modules/log_words.ts';
import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import { rawText } from './segment.ts';
import type { RecordStore } from './record-store.ts';
import { millisecondsOf } from './times.ts';
import { valueReader, type ValueReader } from './values.ts';
import type { RecordView } from './view.ts';
import { columnsOf } from './wanted.ts';
import { ViewWalk } from './view-walk.ts';

/** Parts of the time of all records in which a pattern is counted. */
const PARTS = 48;
const OPTIONS = { similarity: 0.5, prefix: 1, maxPatterns: 2000 };
/** Values of few words, such as requests, are not alike when one of three words differs. */
const SIMILAR_VALUES = 0.75;
const EXAMPLE_LENGTH = 500;
/** Rows after which others get their turn. */
const STRIDE = 2048;

/** Fields that tell what a record without a text of its own is about, the most telling one first. */
const TELLING = ['message', 'msg', 'request', 'request_uri', 'uri', 'url', 'path', 'cs-uri-stem', 'query', 'statement', 'event'];
const PAYLOAD = 'Payload';

/** Counts of a pattern along the time, and the times of its earliest and latest line. */
interface Tally {
  readonly counts: Uint32Array;
  first: number;
  last: number;
}

/** Finds the patterns of the values of one variable; null: of records as they were read. */
class Miner {
  readonly variable: string | null;
  readonly drain: Drain;
  readonly tallies = new Map<number, Tally>();

  constructor(variable: string | null) {
    this.variable = variable;
    const isLine = variable === null || variable === PAYLOAD;
    this.drain = new Drain(isLine ? OPTIONS : { ...OPTIONS, similarity: SIMILAR_VALUES }, { patterns: [], next: 1 });
  }

  /** Drops the counts of patterns that the drain has forgotten. */
  forget(): void {
    if (this.tallies.size <= 2 * OPTIONS.maxPatterns) return;
    const known = new Set(this.drain.state.patterns.map(({ id }) => id));
    for (const id of this.tallies.keys()) if (!known.has(id)) this.tallies.delete(id);
  }
}

/**
 * Finds the patterns of the lines that a view shows when it begins, in bounded memory: the payload of a record, else the field that tells what it is about,
 * else the record as it was read; or of the values of a variable. Where there are very many patterns, those that were not seen for longest are forgotten.
 */
export class PatternCount {
  /** The view's generation at the beginning: records that come later are no reason to begin anew. */
  readonly generation: number;
  /** null: the lines. */
  readonly variable: string | null;
  readonly #walk: ViewWalk;
  readonly #from: number;
  readonly #to: number;
  readonly #miners = new Map<string | null, Miner>();
  #lines = 0;
  #missing = 0;

  constructor(store: RecordStore, view: RecordView, variable: string | null = null) {
    this.variable = variable;
    this.generation = view.generation;
    this.#walk = new ViewWalk(store, view, STRIDE, variable === null ? null : columnsOf([variable]));
    const { span } = view.facts;
    this.#from = span?.from ?? 0;
    this.#to = span?.to ?? 0;
  }

  get complete(): boolean {
    return this.#walk.complete;
  }

  /** Goes on for about so many milliseconds. */
  async advance(budgetMs: number): Promise<void> {
    await this.#walk.advance(budgetMs, (stored) =>
      this.variable === null ? this.#lineAdder(stored) : this.#valueAdder(stored, this.variable),
    );
    for (const miner of this.#miners.values()) miner.forget();
  }

  /** The most frequent patterns so far. */
  top(limit: number): LogPatterns {
    const miners = [...this.#miners.values()];
    const states = miners.map(({ drain }) => drain.state);
    const found = states.flatMap(({ patterns }, miner) => patterns.map((pattern) => ({ ...pattern, miner })));
    const sorted = found.toSorted((a, b) => b.count - a.count || a.id - b.id).slice(0, limit);
    return {
      patterns: sorted.flatMap(({ id, words, count, example, miner }): PatternLine[] => {
        const { variable, tallies } = miners[miner] as Miner;
        const tally = tallies.get(id);
        if (tally === undefined) return [];
        const { counts, ...facts } = tally;
        return [{ id: id * miners.length + miner, text: words.join(' '), variable, ...facts, count, example, counts: [...counts] }];
      }),
      distinct: found.length,
      forgotten: states.reduce((sum, { patterns, next }) => sum + next - 1 - patterns.length, 0),
      missing: this.#missing,
      from: this.#from,
      to: this.#to,
      records: this.#walk.visited,
      total: this.#walk.total,
      complete: this.complete,
    };
  }

  /** Adds what a row says: its payload, else its most telling field, else its record as it was read. */
  #lineAdder(stored: MessageBatch): (row: number) => void {
    const raw = rawText(stored);
    const times = millisecondsOf(stored.timestamps);
    const names = new Set(stored.fields.map(({ name }) => name));
    const telling = TELLING.filter((name) => names.has(name)).map((name): { variable: string; read: ValueReader } => {
      const variable = `Fields[${name}]`;
      return { variable, read: valueReader(stored, variable) };
    });
    return (row) => {
      const time = times[row] as number;
      const payload = textAt(stored.payload, row);
      if (payload !== undefined) return this.#add(PAYLOAD, payload, time);
      for (const { variable, read } of telling) {
        const value = read(row);
        if (value !== null) return this.#add(variable, value, time);
      }
      this.#add(null, raw.at(row), time);
    };
  }

  /** Adds the value of a row. */
  #valueAdder(stored: MessageBatch, variable: string): (row: number) => void {
    const read = valueReader(stored, variable);
    const times = millisecondsOf(stored.timestamps);
    return (row) => {
      const value = read(row);
      if (value === null) this.#missing++;
      else this.#add(variable, value, times[row] as number);
    };
  }

  #minerOf(variable: string | null): Miner {
    let miner = this.#miners.get(variable);
    if (miner === undefined) this.#miners.set(variable, (miner = new Miner(variable)));
    return miner;
  }

  #add(variable: string | null, text: string, time: number): void {
    this.#lines++;
    const line = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text;
    const words = logWords(line);
    if (words.length === 0) return;
    const { drain, tallies } = this.#minerOf(variable);
    // The age of a pattern follows from its order here: the records of a view need not be in the order of their times.
    const { id } = drain.add(words, line.slice(0, EXAMPLE_LENGTH), this.#lines);
    let tally = tallies.get(id);
    if (tally === undefined) tallies.set(id, (tally = { counts: new Uint32Array(PARTS), first: time, last: time }));
    tally.first = Math.min(tally.first, time);
    tally.last = Math.max(tally.last, time);
    const part = this.#to > this.#from ? Math.floor(((time - this.#from) / (this.#to - this.#from)) * PARTS) : 0;
    const place = Math.min(PARTS - 1, Math.max(0, part));
    tally.counts[place] = (tally.counts[place] as number) + 1;
  }
}
