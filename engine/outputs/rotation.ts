import { formatTime } from './time-name.ts';

const HOUR_MS = 3_600_000;

/** The names of a file that is rotated at full hours of UTC, the multiples of an interval. */
export class Rotation {
  readonly #pattern: string;
  readonly #interval: number;
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
    this.#next = hours === 0 ? Infinity : this.#boundary(now) + this.#interval;
  }

  get path(): string {
    return this.#path;
  }

  /** Whether another file is due; then `path` is its name. */
  turn(now: number): boolean {
    if (now < this.#next) return false;
    const boundary = this.#boundary(now);
    this.#next = boundary + this.#interval;
    this.#path = formatTime(this.#pattern, new Date(boundary));
    return true;
  }

  #boundary(now: number): number {
    return Math.floor(now / this.#interval) * this.#interval;
  }
}
