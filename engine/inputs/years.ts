import type { FileHandle } from 'node:fs/promises';
import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import { latestYear, yearDay, YearOrder } from './year-order.ts';

/** A day without a year, and where in the file it was found. */
interface FoundDay {
  readonly at: number;
  readonly day: number;
}

/** Files up to this size are looked through; of larger ones samples are taken. */
const WHOLE_BYTES = 4 << 20;
const SAMPLES = 256;
const SAMPLE_BYTES = 8 << 10;
/** Between samples that are further apart others are taken, until they are close to each other. */
const CLOSE_DAYS = 45;
const CLOSE_BYTES = 256 << 10;
const MOST_SAMPLES = 4096;

/** The years of the records of a file whose dates have none. */
export class Years {
  readonly #order: YearOrder;

  private constructor(order: YearOrder) {
    this.#order = order;
  }

  /**
   * Looks through a file from a position on. Null when its dates have years, or when all of them are in the year before it was written last.
   * @param size of the file; `writtenNs`: when it was written last
   */
  static async of(handle: FileHandle, { from, size, writtenNs }: { from: number; size: number; writtenNs: bigint }): Promise<Years | null> {
    const days = await new DayFinder(handle, size).days(from);
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return null;
    const order = new YearOrder(0, first.day);
    for (const { day } of days) order.follow(day);
    const year = latestYear(last.day, writtenNs) - order.year;
    return year === latestYear(first.day, writtenNs) ? null : new Years(new YearOrder(year, first.day));
  }

  /** Times, in nanoseconds since 1970, not long after the next records were written. */
  times({ payload, length }: MessageBatch): BigInt64Array {
    const times = new BigInt64Array(length);
    let noon = this.#order.noon;
    for (let row = 0; row < length; row++) {
      const day = yearDay(textAt(payload, row) ?? '', 0);
      if (day >= 0) {
        this.#order.follow(day);
        noon = this.#order.noon;
      }
      times[row] = noon;
    }
    return times;
  }
}

/** Finds days in a file. */
class DayFinder {
  readonly #handle: FileHandle;
  readonly #size: number;
  readonly #buffer = Buffer.allocUnsafe(CLOSE_BYTES);
  #samples = 0;

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.#size = size;
  }

  /** Days from a position to the end of the file, in their order; none when none is near the position. */
  async days(from: number): Promise<FoundDay[]> {
    const head = await this.#all(from, Math.min(this.#size, from + CLOSE_BYTES));
    if (head.length === 0 || this.#size <= from + CLOSE_BYTES) return head;
    const rest = from + CLOSE_BYTES;
    const tail = Math.max(rest, this.#size - CLOSE_BYTES);
    const between = this.#size - from <= WHOLE_BYTES ? await this.#through(rest, tail) : await this.#sampled(head.at(-1) as FoundDay, tail);
    return [...head, ...between, ...(await this.#all(tail, this.#size))];
  }

  async #through(from: number, to: number): Promise<FoundDay[]> {
    const days: FoundDay[] = [];
    for (let at = from; at < to; at += CLOSE_BYTES) days.push(...(await this.#all(at, Math.min(to, at + CLOSE_BYTES))));
    return days;
  }

  /** Days here and there, so close to each other that no year is missed. */
  async #sampled(first: FoundDay, to: number): Promise<FoundDay[]> {
    const days: FoundDay[] = [];
    const step = (to - first.at) / SAMPLES;
    let last = first;
    for (let i = 1; i < SAMPLES; i++) {
      const next = await this.#one(Math.floor(first.at + i * step), to);
      if (next === null || next.at <= last.at) continue;
      days.push(...(await this.#refined(last, next)), next);
      last = next;
    }
    return days;
  }

  async #refined(from: FoundDay, to: FoundDay): Promise<FoundDay[]> {
    const isClose = Math.abs(to.day - from.day) <= CLOSE_DAYS || to.at - from.at <= CLOSE_BYTES;
    if (isClose || this.#samples > MOST_SAMPLES) return [];
    const middle = await this.#one(Math.floor((from.at + to.at) / 2), to.at);
    if (middle === null) return [];
    return [...(await this.#refined(from, middle)), middle, ...(await this.#refined(middle, to))];
  }

  /** The first day of the lines in [from, to), or near `from`. */
  async #one(from: number, to: number): Promise<FoundDay | null> {
    this.#samples++;
    const [first] = await this.#all(from, Math.min(to, from + SAMPLE_BYTES), 1);
    return first ?? null;
  }

  /** The days of the lines that begin in [from, to), at most CLOSE_BYTES of them, without the first one, which may be cut off. */
  async #all(from: number, to: number, most = Infinity): Promise<FoundDay[]> {
    const { bytesRead } = await this.#handle.read(this.#buffer, 0, Math.max(0, to - from), from);
    const text = this.#buffer.toString('latin1', 0, bytesRead);
    const days: FoundDay[] = [];
    let start = from === 0 ? 0 : text.indexOf('\n') + 1;
    while (start < text.length && days.length < most) {
      const day = yearDay(text, start);
      if (day >= 0) days.push({ at: from + start, day });
      const end = text.indexOf('\n', start);
      if (end < 0) break;
      start = end + 1;
    }
    return days;
  }
}
