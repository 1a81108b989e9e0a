import { Throttle } from '../throttle.ts';

/** Something that changes: each change raises its revision, which is above 0 from the beginning. */
export interface Changing<T> {
  revision(): number;
  /** What is newer than a revision. */
  since(revision: number): T;
}

interface Waiting<T> {
  readonly since: number;
  readonly resolve: (answer: T) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Answers who asks for changes as soon as there are any, and not too often. Nothing is made or sent while nobody asks, and who is slow finds
 * only the newest.
 */
export class ChangeAnswers<T> {
  readonly #of: Changing<T>;
  readonly #throttle: Throttle;
  #waiting: Waiting<T>[] = [];

  constructor(of: Changing<T>, intervalMs: number) {
    this.#of = of;
    this.#throttle = new Throttle(() => this.#answer(), intervalMs);
  }

  /** What is newer than a revision, once there is something. A revision that is not reached yet is one of another process: all is newer. */
  after(since: number): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ since, resolve, reject });
      this.changed();
    });
  }

  /** There may be something new. */
  changed(): void {
    if (this.#waiting.some((waiting) => this.#isOld(waiting))) this.#throttle.request();
  }

  stop(): void {
    this.#throttle.stop();
  }

  #isOld({ since }: Waiting<T>): boolean {
    return since !== this.#of.revision();
  }

  #answer(): void {
    const due = this.#waiting.filter((waiting) => this.#isOld(waiting));
    this.#waiting = this.#waiting.filter((waiting) => !due.includes(waiting));
    for (const { since, resolve, reject } of due) {
      try {
        resolve(this.#of.since(since > this.#of.revision() ? 0 : since));
      } catch (error) {
        reject(error);
      }
    }
  }
}
