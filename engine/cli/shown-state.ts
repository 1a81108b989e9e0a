import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceLog } from './service-log.ts';
import type { ServiceManager } from './systemd.ts';
import { every, type LongTimer } from '../base/time/long-timer.ts';
import type { AdminConfig } from '../config/schema/admin.ts';
import { mergeReports } from '../pipeline/plugin-report.ts';
import { RetriedListener } from '../pipeline/retried-listener.ts';
import { retries } from '../section/restart.ts';
import { Admin, type Look } from '../service/admin/admin.ts';
import { reasonsIn } from '../service/admin/readiness.ts';
import type { ConfiguredPipeline } from '../service/from-config.ts';

/** Milliseconds between two messages to the manager, at most; and those that a start may then take until the next one. */
const TELL_MS = 20_000;
const START_MS = 60_000;
/** Time for which a start waits for inputs whose ports cannot be opened: the others are at work. */
const LISTEN_MS = 30_000;
const LOOK_MS = 500;

export interface ShownStateOptions {
  /** null: nobody can ask over HTTP. */
  readonly admin: AdminConfig | null;
  /** null: systemd does not want to know. */
  readonly manager: ServiceManager | null;
  readonly log: ServiceLog;
  /** Bytes of memory of the service and its hosts. */
  readonly memory: () => Promise<number>;
}

/** Shows how a service is to those who look after it: over HTTP, and to systemd. */
export class ShownState {
  readonly #options: ShownStateOptions;
  readonly #admin: RetriedListener | null;
  #timer: LongTimer | null = null;
  #pipeline: ConfiguredPipeline | null = null;
  /** The reason for which it is not ready as a whole; null: it runs. */
  #phase: string | null = 'the service is starting';
  #looking: Promise<Look> | null = null;
  /** The manager knows that it runs. */
  #isKnown = false;
  #status = 'starting';

  constructor(options: ShownStateOptions) {
    this.#options = options;
    const { admin, memory, log } = options;
    const made = admin && new Admin(admin.address, { look: () => this.look(), memory, notices: log.counts });
    this.#admin = made && new RetriedListener(made, retries.parse({}), () => undefined);
  }

  /** The service begins to start. @param untilIdle it ends when all is read: nobody can ask it over HTTP */
  async open(untilIdle: boolean): Promise<void> {
    const { manager, log } = this.#options;
    if (manager !== null) this.#timer = every(Math.min(manager.watchdogMs / 2 || TELL_MS, TELL_MS), () => this.#turn());
    if (untilIdle) return;
    await this.#admin?.start({
      deliver: () => Promise.resolve(),
      idle: () => undefined,
      notice: (notice) => log.notice({ ...notice, subject: 'admin', text: `[admin] ${notice.text}` }),
    });
  }

  /** It runs. The manager hears of it when all inputs listen. */
  running(pipeline: ConfiguredPipeline): void {
    this.#pipeline = pipeline;
    this.#phase = null;
    if (this.#options.manager !== null) void this.#announce();
  }

  /** Shows that a reload is under way. */
  async reloading<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isKnown) return work();
    this.#tell({ RELOADING: 1 });
    return work().finally(() => this.#tell({ READY: 1 }));
  }

  stopping(): void {
    this.#phase = 'the service is stopping';
    this.#tell({ STOPPING: 1, STATUS: this.#phase });
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#admin?.stop();
    await this.#options.manager?.idle();
  }

  /** State that is shown now. Whoever asks at the same time gets the same. */
  look(): Promise<Look> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #look(): Promise<Look> {
    const report = (await this.#pipeline?.report()) ?? mergeReports([]);
    return { report, reasons: [...(this.#phase === null ? [] : [this.#phase]), ...reasonsIn(report)] };
  }

  async #announce(): Promise<void> {
    const until = performance.now() + LISTEN_MS;
    for (;;) {
      const { report, reasons } = await this.look();
      if (this.#phase !== null) return;
      this.#status = statusOf(reasons);
      if (reasonsIn(report, ['inputs']).length === 0 || performance.now() >= until) break;
      await delay(LOOK_MS, null, { ref: false });
    }
    this.#tell({ READY: 1, STATUS: this.#status });
    this.#isKnown = true;
  }

  /** Tells that the loop turns, and how the service is: as was found out since the last time, for a part that hangs is not to hold this up. */
  #turn(): void {
    this.#tell({ ...(this.#isKnown ? { WATCHDOG: 1 } : { EXTEND_TIMEOUT_USEC: START_MS * 1000 }), STATUS: this.#status });
    void this.look().then(({ reasons }) => (this.#status = statusOf(reasons)));
  }

  #tell(state: Readonly<Record<string, string | number>>): void {
    void this.#options.manager?.tell(state);
  }
}

const statusOf = (reasons: readonly string[]): string => (reasons.length === 0 ? 'ready' : `not ready: ${reasons.join('; ')}`);
