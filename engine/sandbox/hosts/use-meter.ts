import type { ReportedHead } from '../contract/protocol.ts';
import { unlessBusy } from '../contract/report-wait.ts';
import { NO_USE, type ScriptCounters } from '../calls/script-counters.ts';

interface Measured {
  readonly counters: ScriptCounters;
  /** Asks the host for what the sandbox uses. */
  readonly ask: () => Promise<ReportedHead>;
  /** The host serves a call. */
  readonly isBusy: () => boolean;
}

/** Measures what a sandbox uses of memory and instructions, with one question to its host at a time. */
export class UseMeter {
  readonly #of: Measured;
  #measuring: Promise<ReportedHead> | null = null;

  constructor(of: Measured) {
    this.#of = of;
  }

  /** The use of resources; none when the sandbox ends meanwhile. While it is busy for long, what it was the last time. */
  measure(): Promise<ReportedHead> {
    const { counters, ask, isBusy } = this.#of;
    this.#measuring ??= ask()
      .then((report) => (counters.lastReport = report))
      .catch(() => NO_USE)
      .finally(() => (this.#measuring = null));
    return unlessBusy(this.#measuring, { isBusy, otherwise: () => counters.lastReport });
  }
}
