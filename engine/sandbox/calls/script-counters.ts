import type { ReportedHead } from '../contract/protocol.ts';
import { callTimes } from '../wire/result.ts';
import type { SandboxReport, SandboxResult, SandboxSpec, SandboxState } from '../contract/types.ts';

/** Of the last error, this much is kept. */
const MAX_ERROR = 255;

/** Most places of variables that a state does not keep that are remembered. */
const MAX_UNKEPT = 1_000;

/** Usage of a sandbox that has ended: all zero. */
export const NO_USE: ReportedHead = {
  memory: 0,
  memoryMaximum: 0,
  isolate: 0,
  instructions: 0,
  instructionsMaximum: 0,
  output: 0,
  outputMaximum: 0,
  calls: 0,
  nanoseconds: 0,
  timers: 0,
  timerNanoseconds: 0,
  percentile99: 0,
  times: { samples: 0, nanoseconds: 0, profileSamples: 0, profileNanoseconds: 0 },
};

/** Keeps the engine's counts and errors of a sandbox, and the last report of its host. */
export class ScriptCounters {
  #lastError: string | null = null;
  #stateProblem: string | null = null;
  readonly #unkept = new Set<string>();
  #processed = 0;
  #failures = 0;
  #injected = 0;
  lastReport: ReportedHead = NO_USE;

  get processed(): number {
    return this.#processed;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  /** @param rows how many rows of the call were through */
  count({ injected, failures }: Pick<SandboxResult, 'injected' | 'failures'>, rows: number): void {
    this.#injected += injected?.length ?? 0;
    this.#failures += failures.length;
    this.#processed += rows;
    this.noteError(failures.at(-1)?.reason ?? '');
  }

  noteFailure(reason: string): void {
    this.#failures++;
    this.noteError(reason);
  }

  /** The state could not be kept. */
  noteStateProblem(reason: string): void {
    this.noteError(reason);
    this.#stateProblem = this.#lastError;
  }

  /** Notes places that the state does not keep. Returns those that are new. */
  noteUnkept(places: readonly string[]): string[] {
    const fresh = places.filter((place) => !this.#unkept.has(place));
    for (const place of fresh) if (this.#unkept.size < MAX_UNKEPT) this.#unkept.add(place);
    return fresh;
  }

  noteError(reason: string): void {
    if (reason !== '') this.#lastError = reason.slice(0, MAX_ERROR);
  }

  /** @param use what the sandbox uses now */
  report({ limits }: SandboxSpec, state: SandboxState, use: ReportedHead): SandboxReport {
    const { memoryMaximum, instructionsMaximum, outputMaximum, calls, nanoseconds, timers, timerNanoseconds, profile, hints } =
      this.lastReport;
    const { times, percentile99 } = this.lastReport;
    return {
      state,
      lastError: this.#lastError,
      stateProblem: this.#stateProblem ?? undefined,
      unkept: this.#unkept.size === 0 ? undefined : [...this.#unkept],
      processed: this.#processed,
      failures: this.#failures,
      injected: this.#injected,
      memory: { current: use.memory, maximum: memoryMaximum, limit: limits.memory },
      isolateMemory: use.isolate,
      instructions: { current: use.instructions, maximum: instructionsMaximum, limit: limits.instructions },
      output: { current: use.output, maximum: outputMaximum, limit: limits.output },
      averageNs: calls === 0 ? 0 : Math.trunc(nanoseconds / calls),
      percentile99Ns: percentile99,
      times: callTimes(times.samples, times.nanoseconds),
      profileTimes: times.profileSamples === 0 ? undefined : callTimes(times.profileSamples, times.profileNanoseconds),
      timers,
      timerAverageNs: timers === 0 ? 0 : Math.trunc(timerNanoseconds / timers),
      profile,
      hints: hints?.length === 0 ? undefined : hints,
    };
  }
}
