import type { Outcome } from '../prelude/index.ts';
import type { ReportedHead } from '../protocol.ts';
import type { Sampling } from '../types.ts';
import { CallTimes } from './call-times.ts';

/** So often half of what the average is made of is forgotten. */
const FORGET_MS = 5_000;

/** Runs the process_message calls of a batch and takes their time: of all together, and of some one by one. */
export class CallClock {
  readonly times: CallTimes;
  /** Number of the row that is at work, or was the last one; the prelude sets it. */
  readonly #row: Int32Array;
  /** Goes on with the batch before a row. */
  readonly #resume: (until: number) => Outcome;
  #forgotAt = performance.now();
  #calls = 0;
  #nanoseconds = 0;
  /** Time in which the script waited for something. */
  #waited = 0;
  /** What the shortest call into the isolate took that ran no script. */
  #crossing = Infinity;

  constructor(sampling: Sampling, row: Int32Array, resume: (until: number) => Outcome) {
    this.times = new CallTimes(sampling);
    this.#row = row;
    this.#resume = resume;
  }

  /** Goes on with the batch: for at most so many rows, up to the next row that is to be timed, or with that row alone. */
  resume(most: number): Outcome {
    const at = this.done;
    const due = Math.min(this.times.due, most);
    if (due === 0) return this.#resumeOne(at);
    try {
      return this.#timed(() => this.#resume(at + due));
    } finally {
      this.times.passed(this.done - at);
    }
  }

  /** The batch is through. The average is that of the last while: what was long ago counts less and less. */
  finish(): void {
    const now = performance.now();
    if (now - this.#forgotAt >= FORGET_MS) {
      this.#forgotAt = now;
      this.#calls /= 2;
      this.#nanoseconds /= 2;
    }
    this.#calls += this.done;
  }

  /** What the script waits for is not its own time. */
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

  /** Rows of the batch that have run, the one at work among them. */
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
