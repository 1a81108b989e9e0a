/** Graphs once more, as plainly as their description reads: what the real ones are compared with. */
import type { PlainMessage, Value } from './message.ts';

export type Column = readonly [name: string, unit: string, aggregation: string];

/** Output of a tick: payload type, payload name, payload. */
export type Output = readonly [type: string, name: string, payload: string];

export interface Naive {
  /** The status of process_message. */
  process(message: PlainMessage): number;
  tick(): Output[];
}

/** A graph whose cells are kept for ever. */
export class NaiveGraph {
  readonly #cells = new Map<number, number[]>();
  #newest: number;
  readonly rows: number;
  readonly seconds: number;
  readonly columns: readonly Column[];

  constructor(rows: number, seconds: number, columns: readonly Column[]) {
    this.rows = rows;
    this.seconds = seconds;
    this.columns = columns;
    this.#newest = seconds * (rows - 1);
  }

  /** The row of a time, to be written to; null before the window. */
  row(ns: number): number[] | null {
    const seconds = Math.trunc(ns / 1e9);
    const slot = seconds - (seconds % this.seconds);
    if (slot > this.#newest) this.#newest = slot;
    if (slot <= this.#newest - this.seconds * this.rows) return null;
    const row = this.#cells.get(slot) ?? this.columns.map(() => NaN);
    this.#cells.set(slot, row);
    return row;
  }

  add(ns: number, column: number, value: number): number | null {
    const row = this.row(ns);
    if (row === null) return null;
    const old = row[column] as number;
    return (row[column] = Number.isNaN(old) ? value : old + value);
  }

  set(ns: number, column: number, value: number): void {
    const row = this.row(ns);
    if (row === null) return;
    const old = row[column] as number;
    const aggregation = this.columns[column]?.[2];
    const kept = (aggregation === 'min' && !(value < old)) || (aggregation === 'max' && !(value > old));
    if (Number.isNaN(old) || !kept) row[column] = value;
  }

  get text(): string {
    const start = this.#newest - this.seconds * (this.rows - 1);
    const info = this.columns.map(([name, unit, aggregation]) => `{"name":"${name}","unit":"${unit}","aggregation":"${aggregation}"}`);
    let text = `{"time":${start},"rows":${this.rows},"columns":${this.columns.length},"seconds_per_row":${this.seconds},"column_info":[${info.join(',')}]}\n`;
    for (let slot = start; slot <= this.#newest; slot += this.seconds) {
      text += `${(this.#cells.get(slot) ?? this.columns.map(() => NaN)).map(cellText).join('\t')}\n`;
    }
    return text;
  }
}

/** For numbers that need no more than eight digits behind the point. */
export function cellText(value: number): string {
  return Number.isNaN(value) ? 'nan' : String(value);
}

/** The first value of the first field of a name. */
export function first(message: PlainMessage, name: string): Value | undefined {
  return message.Fields.find((field) => field.name === name)?.value[0] as Value | undefined;
}

export const timeOf = (message: PlainMessage): number => Number(message.Timestamp);
