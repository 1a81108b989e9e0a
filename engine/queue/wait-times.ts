/** Least milliseconds between two marks, and most marks: of more, every second one goes, and the next ones are farther apart. */
const APART_MS = 1000;
const MOST_MARKS = 1000;

/** Tells for how long the oldest bytes of a queue have waited in it, since this start at most. */
export class WaitTimes {
  /** From these bytes on, counted from the first one that ever came, all came at this time (of performance.now) or later. */
  #marks: { readonly from: number; readonly at: number }[] = [];
  #apartMs = APART_MS;
  #came: number;

  /** @param waiting bytes that wait from an earlier start */
  constructor(waiting: number) {
    this.#came = waiting;
    if (waiting > 0) this.#marks.push({ from: 0, at: performance.now() });
  }

  /** Bytes come. @param waiting those that wait before them */
  add(bytes: number, waiting: number): void {
    const at = performance.now();
    if (waiting === 0) this.#marks = [];
    const last = this.#marks.at(-1);
    if (last === undefined) this.#apartMs = APART_MS;
    if (last === undefined || at - last.at >= this.#apartMs) this.#marks.push({ from: this.#came, at });
    if (this.#marks.length > MOST_MARKS) {
      this.#marks = this.#marks.filter((_, i) => i % 2 === 0);
      this.#apartMs *= 2;
    }
    this.#came += bytes;
  }

  /** Milliseconds. @param waiting bytes that wait now */
  oldest(waiting: number): number {
    const next = this.#marks.findIndex(({ from }) => from > this.#came - waiting);
    this.#marks.splice(0, (next < 0 ? this.#marks.length : next) - 1);
    return waiting > 0 && this.#marks[0] !== undefined ? performance.now() - this.#marks[0].at : 0;
  }
}
