import type { ReportedHead } from '../contract/protocol.ts';
import type { CallClock } from './call-clock.ts';
import type { LineProfile } from './line-profile.ts';
import type { MemoryWatch } from './memory-watch.ts';
import type { PreludeCalls } from './prelude-binding.ts';

/** Sources of the figures of a sandbox. */
interface Sources {
  readonly prelude: PreludeCalls;
  readonly memory: MemoryWatch;
  readonly clock: CallClock;
  readonly profile: LineProfile | null;
}

/** Tells what a sandbox has used: memory, steps, output and time. */
export class ScriptUse {
  readonly #of: Sources;
  #timers = 0;
  #timerNanoseconds = 0n;
  /** The use of steps and output when a sandbox with a profile ended. */
  #lastUse: number[] = [];
  #lastHints: readonly string[] = [];

  constructor(sources: Sources) {
    this.#of = sources;
  }

  /** Runs a timer_event and adds its time. */
  timed<T>(event: () => T): T {
    const started = process.hrtime.bigint();
    try {
      return event();
    } finally {
      this.#timers++;
      this.#timerNanoseconds += process.hrtime.bigint() - started;
    }
  }

  /** Keeps what can be read only while there is an isolate. */
  keep(): void {
    try {
      this.#lastUse = this.#of.prelude.usage();
      this.#lastHints = this.#of.prelude.hints();
    } catch {
      // Then the isolate has no room even for that.
    }
  }

  head(ended: boolean): ReportedHead {
    const { prelude, memory, clock, profile } = this.#of;
    const use = ended ? this.#lastUse : prelude.usage();
    const [instructions = 0, instructionsMaximum = 0, output = 0, outputMaximum = 0] = use;
    const held = ended ? { script: 0, total: 0 } : memory.lately();
    return {
      memory: held.script,
      memoryMaximum: memory.maximum,
      isolate: held.total,
      instructions,
      instructionsMaximum,
      output,
      outputMaximum,
      ...clock.head(),
      timers: this.#timers,
      timerNanoseconds: Number(this.#timerNanoseconds),
      ...(profile === null ? {} : { profile: profile.lines(), hints: ended ? this.#lastHints : prelude.hints() }),
    };
  }
}
