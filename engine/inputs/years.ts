import type { FileHandle } from 'node:fs/promises';
import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import { ClockOrder, clockSecond, latestYear, yearDay, YearOrder } from './year-order.ts';

/** A day without a year, or the second of a day without a date, and where in the file it was found. */
interface FoundDay {
  readonly at: number;
  readonly day: number;
}

/** Reads a day, or a time, at the start of a record; -1: it has none. */
type ReadDay = (text: string, start: number) => number;

/** Files up to this size are looked through; of larger ones samples are taken. */
const WHOLE_BYTES = 4 << 20;
const SAMPLES = 256;
const SAMPLE_BYTES = 8 << 10;
/** Between samples that are further apart others are taken, until they are close to each other. */
const CLOSE_DAYS = 45;
const CLOSE_BYTES = 256 << 10;
const MOST_SAMPLES = 4096;
/** Larger files of times without a date are not looked through: samples could miss a day. */
const MOST_CLOCK_BYTES = 64 << 20;
const DAY_SECONDS = 86_400;
const NS_PER_SECOND = 1_000_000_000n;

/** Times near which the records of a file were written, in the order of the file. */
export interface WrittenOrder {
  /** Times of the next records, in nanoseconds since 1970: not before they were written, and not long after. */
  times(records: MessageBatch): BigInt64Array;
}

/** The years of the records of a file whose dates have none, or the days of records that have a time alone, counted back from its last change. */
export class Years {
  readonly #begin: (at: number) => WrittenOrder;

  private constructor(begin: (at: number) => WrittenOrder) {
    this.#begin = begin;
  }

  /**
   * Looks through a file from a position on. Null when its dates have years, or when all of them are in the year before it was written last, or on
   * the day before.
   * @param size of the file; `writtenNs`: when it was written last
   */
  static async of(handle: FileHandle, { from, size, writtenNs }: { from: number; size: number; writtenNs: bigint }): Promise<Years | null> {
    const days = await new DayFinder(handle, size, yearDay).days(from);
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return await Years.#daysOf(handle, { from, size, writtenNs });
    const order = new YearOrder(0, first.day);
    for (const { day } of days) order.follow(day);
    const year = latestYear(last.day, writtenNs) - order.year;
    if (year === latestYear(first.day, writtenNs)) return null;
    return new Years((at) => new ByYears(followed(new YearOrder(year, first.day), days, at)));
  }

  /** Begins with the first record, or with one further on. @param at a byte of the file in front of it */
  begin(at = 0): WrittenOrder {
    return this.#begin(at);
  }

  static async #daysOf(
    handle: FileHandle,
    { from, size, writtenNs }: { from: number; size: number; writtenNs: bigint },
  ): Promise<Years | null> {
    const clocks = size - from > MOST_CLOCK_BYTES ? [] : await new DayFinder(handle, size, clockSecond).all(from);
    const [first] = clocks;
    if (first === undefined) return null;
    const order = new ClockOrder(first.day);
    for (const { day } of clocks) order.follow(day);
    const last = order.seconds;
    if (last < DAY_SECONDS) return null;
    return new Years((at) => new ByClock(followed(new ClockOrder(first.day), clocks, at), last, writtenNs));
  }
}

/** An order that has followed the days in front of a byte. */
function followed<O extends { follow(day: number): void }>(order: O, days: readonly FoundDay[], to: number): O {
  for (const { at, day } of days) if (at < to) order.follow(day);
  return order;
}

class ByYears implements WrittenOrder {
  readonly #order: YearOrder;

  constructor(order: YearOrder) {
    this.#order = order;
  }

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

class ByClock implements WrittenOrder {
  readonly #order: ClockOrder;
  readonly #last: number;
  readonly #writtenNs: bigint;

  /** @param last seconds of the last record, as the order has them; `writtenNs`: when that was written */
  constructor(order: ClockOrder, last: number, writtenNs: bigint) {
    this.#order = order;
    this.#last = last;
    this.#writtenNs = writtenNs;
  }

  times({ payload, length }: MessageBatch): BigInt64Array {
    const times = new BigInt64Array(length);
    for (let row = 0; row < length; row++) {
      const second = clockSecond(textAt(payload, row) ?? '', 0);
      if (second >= 0) this.#order.follow(second);
      times[row] = this.#writtenNs - BigInt(this.#last - this.#order.seconds) * NS_PER_SECOND;
    }
    return times;
  }
}

/** Finds days in a file. */
class DayFinder {
  readonly #handle: FileHandle;
  readonly #size: number;
  readonly #buffer: Buffer;
  readonly #read: ReadDay;
  #samples = 0;

  constructor(handle: FileHandle, size: number, read: ReadDay) {
    this.#handle = handle;
    this.#size = size;
    this.#buffer = Buffer.allocUnsafe(Math.min(size, CLOSE_BYTES));
    this.#read = read;
  }

  /** All days from a position on; none when none is near the position. */
  async all(from: number): Promise<FoundDay[]> {
    const head = await this.#all(from, Math.min(this.#size, from + CLOSE_BYTES));
    return head.length === 0 ? head : [...head, ...(await this.#through(from + CLOSE_BYTES, this.#size))];
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
    const text = this.#buffer.toString('utf8', 0, bytesRead);
    const days: FoundDay[] = [];
    let start = from === 0 ? 0 : text.indexOf('\n') + 1;
    while (start < text.length && days.length < most) {
      const day = this.#read(text, start);
      if (day >= 0) days.push({ at: from + start, day });
      const end = text.indexOf('\n', start);
      if (end < 0) break;
      start = end + 1;
    }
    return days;
  }
}
