import { formatTime } from './time-name.ts';

const HOUR_MS = 3_600_000;
/** A clock that goes back by less than this over a full hour was corrected, not set: the file stays. */
const CORRECTION_MS = 60_000;

/** The names of a file that is rotated at full hours of UTC, the multiples of an interval. */
export class Rotation {
  readonly #pattern: string;
  readonly #interval: number;
  /** The first time of the file, and of the next one. */
  #begin: number;
  #next: number;
  #path: string;

  /**
   * @param pattern a path with specifiers of strftime
   * @param hours between two files: 1, 4, 12 or 24; 0: there is one file, and the pattern is its path
   * @param now milliseconds since 1970: the first name has the time of the start
   */
  constructor(pattern: string, hours: number, now: number) {
    this.#pattern = pattern;
    this.#interval = hours * HOUR_MS;
    this.#path = hours === 0 ? pattern : formatTime(pattern, new Date(now));
    this.#begin = hours === 0 ? -Infinity : this.#boundary(now);
    this.#next = hours === 0 ? Infinity : this.#begin + this.#interval;
  }

  get path(): string {
    return this.#path;
  }

  /** Whether another file is due, also an earlier one when the clock was set back; then `path` is its name. */
  turn(now: number): boolean {
    if (now < this.#next && now >= this.#begin - CORRECTION_MS) return false;
    this.#begin = this.#boundary(now);
    this.#next = this.#begin + this.#interval;
    this.#path = formatTime(this.#pattern, new Date(this.#begin));
    return true;
  }

  #boundary(now: number): number {
    return Math.floor(now / this.#interval) * this.#interval;
  }
}
