import type { Outcome } from '../prelude/index.ts';
import type { ReportedHead } from '../contract/protocol.ts';
import type { Sampling } from '../contract/types.ts';
import { CallTimes } from './call-times.ts';

/** Interval after which the number of calls and their time are halved, so that the average follows recent calls. */
const FORGET_MS = 5_000;

/** Runs the process_message calls of a batch and measures their time: of all together, and of some one by one. */
export class CallClock {
  readonly times: CallTimes;
  /** Number of the current or last row; the prelude sets it. */
  readonly #row: Int32Array;
  /** Continues the batch up to a row, without it. */
  readonly #resume: (until: number) => Outcome;
  #forgotAt = performance.now();
  #calls = 0;
  #nanoseconds = 0;
  /** Nanoseconds that the script has waited for the host or the engine. */
  #waited = 0;
  /** Shortest time of a call into the isolate that ran no script, in nanoseconds. */
  #crossing = Infinity;

  constructor(sampling: Sampling, row: Int32Array, resume: (until: number) => Outcome) {
    this.times = new CallTimes(sampling);
    this.#row = row;
    this.#resume = resume;
  }

  /** Continues the batch for at most `maxRows` rows: up to the next row to be timed, or with that row alone. */
  resume(maxRows: number): Outcome {
    const at = this.done;
    const due = Math.min(this.times.due, maxRows);
    if (due === 0) return this.#resumeOne(at);
    try {
      return this.#timed(() => this.#resume(at + due));
    } finally {
      this.times.passed(this.done - at);
    }
  }

  /** Ends a batch: adds its calls, and halves older figures when the interval is over. */
  finish(): void {
    const now = performance.now();
    if (now - this.#forgotAt >= FORGET_MS) {
      this.#forgotAt = now;
      this.#calls /= 2;
      this.#nanoseconds /= 2;
    }
    this.#calls += this.done;
  }

  /** Runs work that the script waits for, and leaves its time out of the script's. */
  waiting(work: () => void): void {
    this.#waited += nanosecondsOf(work);
  }

  head(): Pick<ReportedHead, 'calls' | 'nanoseconds' | 'times' | 'percentile99'> {
    return {
      calls: this.#calls,
      nanoseconds: this.#nanoseconds,
      times: this.times.head(),
      percentile99: this.times.percentile99(),
    };
  }

  /** Number of rows of the batch that have run, including the current one. */
  get done(): number {
    return (this.#row[0] as number) + 1;
  }

  #resumeOne(row: number): Outcome {
    if (row > 0)
      this.#crossing = Math.min(
        this.#crossing,
        nanosecondsOf(() => void this.#resume(row)),
      );
    const before = this.#nanoseconds;
    try {
      return this.#timed(() => this.#resume(row + 1));
    } finally {
      const crossing = Number.isFinite(this.#crossing) ? this.#crossing : 0;
      // A batch of no rows has no call.
      if (this.#row[0] === row) this.times.note(Math.max(0, this.#nanoseconds - before - crossing));
    }
  }

  #timed(run: () => Outcome): Outcome {
    const waited = this.#waited;
    const started = process.hrtime.bigint();
    try {
      return run();
    } finally {
      this.#nanoseconds += Number(process.hrtime.bigint() - started) - (this.#waited - waited);
    }
  }
}

function nanosecondsOf(run: () => void): number {
  const started = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - started);
}
