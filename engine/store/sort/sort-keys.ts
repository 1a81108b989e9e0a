import type { MessageBatch } from '../../message/batch/batch.ts';
import { alarmCodes } from '../alarms.ts';
import type { Rows } from '../query.ts';
import { millisecondsOf } from '../times.ts';
import { keyReader, type KeyReader, type RowSource } from './key-reader.ts';
import { Repeats } from './repeats.ts';
import { rankNumbers, rankPairs, TextKeys } from './text-keys.ts';

/** The column that rows are sorted by. */
export interface SortColumn {
  /** `time`, `severity`, `source`, `type`, `summary`, `text`, `repeats` (their own order, with repeated records as one row), another header (`Hostname`), or a field (`Fields[status]`). */
  readonly by: string;
  /** From the highest to the lowest. */
  readonly down: boolean;
}

/** Rows of a segment from one stream, up to where the next part begins. */
export interface KeyedPart extends RowSource {
  readonly firstRow: number;
  readonly stream: string;
}

const NO_SOURCE: RowSource = { label: '' };

/** The rows of a view in another order. */
export interface SortResult {
  /** For each row, its number in order of arrival; and for each of those, its row. */
  readonly arrivals: Uint32Array<ArrayBuffer>;
  readonly rows: Uint32Array<ArrayBuffer>;
  /** The alarm of each row in order of arrival: 2 for an error, 1 for a warning. */
  readonly alarms: Uint8Array<ArrayBuffer>;
  /** Records that each row stands for; absent: one. */
  readonly counts?: Uint32Array<ArrayBuffer>;
}

/**
 * Gathers what rows are sorted by, segment by segment in order of arrival, and sorts them: numbers first, by their value, then texts, by their code
 * points; texts that are all written as numbers count as numbers. Rows without a value are the last in both directions. Equal ones stay in the
 * order of the view: of arrival, or of time where they are of several streams.
 */
export class SortKeys {
  readonly #column: SortColumn;
  /** NaN: the row has no number. */
  readonly #numbers: Float64Array;
  /** Differences between integers beyond 2^53 and the doubles in `#numbers`; null: there are no such integers. */
  #rests: Float64Array | null = null;
  /** The code of its text and 1; 0: it has none. */
  readonly #codes: Uint32Array;
  readonly #alarms: Uint8Array<ArrayBuffer>;
  /** Times by which streams are merged: never below one before in the same stream. */
  readonly #times: Float64Array;
  readonly #latest = new Map<string, number>();
  readonly #texts = new TextKeys();
  /** null: repeated records are rows of their own. */
  readonly #repeats: Repeats | null;
  #count = 0;

  /** @param most rows that will be added at most */
  constructor(column: SortColumn, most: number) {
    this.#column = column;
    this.#repeats = column.by === 'repeats' ? new Repeats(most) : null;
    this.#numbers = new Float64Array(most).fill(NaN);
    this.#codes = new Uint32Array(most);
    this.#alarms = new Uint8Array(most);
    this.#times = new Float64Array(most);
  }

  /** Adds rows of a segment, with its raw column. */
  add(stored: MessageBatch, rows: Rows, parts: readonly KeyedPart[]): void {
    const times = millisecondsOf(stored.timestamps);
    const alarms = alarmCodes(stored);
    const count = rows === null ? stored.length : rows.length;
    let part = 0;
    const read = keyReader(stored, this.#column.by, () => parts[part] ?? NO_SOURCE);
    for (let i = 0; i < count; i++) {
      const row = rows === null ? i : (rows[i] as number);
      while ((parts[part + 1]?.firstRow ?? Infinity) <= row) part++;
      this.#put(read(row), alarms?.[row] ?? 0, times[row] as number, parts[part]?.stream ?? '');
    }
  }

  sort(): SortResult {
    if (this.#repeats !== null)
      return { ...this.#repeats.fold(this.#places()?.arrivals ?? null), alarms: this.#alarms.slice(0, this.#count) };
    const { ranks, present } = this.#ranks();
    const places = this.#places();
    const factor = 2 ** Math.ceil(Math.log2(Math.max(2, this.#count)));
    const keys = new Float64Array(this.#count);
    for (let i = 0; i < keys.length; i++) {
      const rank = ranks[i] as number;
      keys[i] = (rank === present ? rank : this.#column.down ? present - 1 - rank : rank) * factor + (places?.rows[i] ?? i);
    }
    keys.sort();
    const { arrivals, rows } = permutation(keys, factor);
    if (places !== null) {
      for (let row = 0; row < arrivals.length; row++) {
        const arrival = places.arrivals[arrivals[row] as number] as number;
        arrivals[row] = arrival;
        rows[arrival] = row;
      }
    }
    return { arrivals, rows, alarms: this.#alarms.slice(0, this.#count) };
  }

  #put(key: ReturnType<KeyReader>, alarm: number, time: number, stream: string): void {
    const at = this.#count++;
    if (this.#repeats !== null) this.#repeats.take(stream, String(key));
    else if (typeof key === 'number') this.#numbers[at] = key;
    else if (typeof key === 'bigint') this.#putInteger(at, key);
    else if (key !== null) this.#codes[at] = this.#texts.codeOf(key) + 1;
    this.#alarms[at] = alarm;
    const merged = Math.max(this.#latest.get(stream) ?? -Infinity, time);
    this.#latest.set(stream, merged);
    this.#times[at] = merged;
  }

  #putInteger(at: number, key: bigint): void {
    const number = Number(key);
    this.#numbers[at] = number;
    this.#rests ??= new Float64Array(this.#numbers.length);
    this.#rests[at] = Number(key - BigInt(number));
  }

  /** The rank of each row's value; `present`: of rows without one, which is behind all others. */
  #ranks(): { ranks: Float64Array; present: number } {
    const numeric = this.#texts.numbers;
    const values = this.#numbers.subarray(0, this.#count);
    if (numeric !== null)
      for (let i = 0; i < values.length; i++) if (this.#codes[i] !== 0) values[i] = numeric[(this.#codes[i] as number) - 1] as number;
    const { ranks, count } = this.#rests === null ? rankNumbers(values) : rankPairs(values, this.#rests.subarray(0, this.#count));
    const texts = numeric === null ? this.#texts.ranks() : null;
    const present = count + (texts?.count ?? 0);
    for (let i = 0; i < ranks.length; i++) {
      const code = this.#codes[i] as number;
      if (texts !== null && code > 0) ranks[i] = count + (texts.ranks[code - 1] as number);
      else if (Number.isNaN(ranks[i])) ranks[i] = present;
    }
    return { ranks, present };
  }

  /** The rows merged by time; null: all are of one stream, so they are in order already. */
  #places(): { arrivals: Uint32Array; rows: Uint32Array } | null {
    if (this.#latest.size <= 1) return null;
    const factor = 2 ** Math.ceil(Math.log2(Math.max(2, this.#count)));
    const keys = rankNumbers(this.#times.subarray(0, this.#count)).ranks;
    for (let i = 0; i < keys.length; i++) keys[i] = (keys[i] as number) * factor + i;
    return permutation(keys.sort(), factor);
  }
}

/** The numbers that sorted keys end with, and where each of them is. */
function permutation(keys: Float64Array, factor: number): { arrivals: Uint32Array<ArrayBuffer>; rows: Uint32Array<ArrayBuffer> } {
  const arrivals = new Uint32Array(keys.length);
  const rows = new Uint32Array(keys.length);
  for (let row = 0; row < keys.length; row++) {
    const arrival = (keys[row] as number) % factor;
    arrivals[row] = arrival;
    rows[arrival] = row;
  }
  return { arrivals, rows };
}
