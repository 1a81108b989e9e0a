import { Throttle } from '../base/time/throttle.ts';

/** Something that changes: each change raises its revision, which is above 0 from the beginning. */
export interface Changing<T> {
  revision(): number;
  /** Returns the changes since a revision; 0: everything. */
  since(revision: number): T;
}

interface Waiting<T> {
  readonly since: number;
  readonly resolve: (answer: T) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Answers requests for changes (long polling), each as soon as there is a change, at most once per interval. Nothing is computed or sent
 * without a request, and a slow client gets only the newest state.
 */
export class ChangeAnswers<T> {
  readonly #of: Changing<T>;
  readonly #throttle: Throttle;
  #waiting: Waiting<T>[] = [];
  #isHastened = false;

  constructor(of: Changing<T>, intervalMs: number) {
    this.#of = of;
    this.#throttle = new Throttle(() => this.#answer(), intervalMs);
  }

  /**
   * Resolves with the changes since a revision, once there are any. A revision above the current one comes from an engine process before
   * this one, so everything counts as changed.
   */
  after(since: number): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ since, resolve, reject });
      this.changed();
    });
  }

  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  /** Says that the revision may have changed. */
  changed(): void {
    if (this.#waiting.some((waiting) => this.#isOld(waiting))) this.#throttle.request(this.#isHastened ? 0 : undefined);
  }

  /** Has the next answer come as soon as there is a change. */
  hasten(): void {
    this.#isHastened = true;
    this.changed();
  }

  stop(): void {
    this.#throttle.stop();
  }

  #isOld({ since }: Waiting<T>): boolean {
    return since !== this.#of.revision();
  }

  #answer(): void {
    this.#isHastened = false;
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
