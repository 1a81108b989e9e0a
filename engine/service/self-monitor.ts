import { getHeapStatistics } from 'node:v8';
import { every, type LongTimer } from '../base/time/long-timer.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { nowNs } from '../message/timestamp.ts';
import { allReport, memoryStatistics } from '../pipeline/messages.ts';
import { reportPayload, type PipelineReport } from '../pipeline/plugin-report.ts';

export interface SelfMonitorOptions {
  /** Seconds between two reports. */
  readonly seconds: number;
  readonly hostname: string;
  readonly pid: number;
  readonly report: () => Promise<PipelineReport>;
  readonly inject: (batch: MessageBatch) => Promise<void>;
  /** Takes the text of each report as well. */
  readonly keep?: (payload: string) => void;
  /** Send the first report at once instead of after that time. */
  readonly atOnce?: boolean;
}

/**
 * Average bytes of an object on the engine's heap with what belongs to it alone, as counted once (20 MB, 35,000 objects). V8 counts objects only by going through
 * its whole heap twice, which takes a quarter of a second.
 */
const BYTES_PER_OBJECT = 570;

/** Reports on the service itself, as messages of the pipeline: `svc.all-report` and `svc.memstat`. */
export class SelfMonitor {
  readonly #options: SelfMonitorOptions;
  readonly #timer: LongTimer;
  #turn: Promise<void> | null = null;

  constructor(options: SelfMonitorOptions) {
    this.#options = options;
    this.#timer = every(options.seconds * 1000, () => this.#tick());
    if (options.atOnce === true) this.#tick();
  }

  /** Ends the reports. Resolves when a pending one is processed. */
  async stop(): Promise<void> {
    this.#timer.cancel();
    await this.#turn;
  }

  /** Sends a report, unless one is still pending. */
  #tick(): void {
    this.#turn ??= this.#send()
      .catch(() => undefined)
      .finally(() => (this.#turn = null));
  }

  async #send(): Promise<void> {
    const { report, inject, keep, hostname, pid } = this.#options;
    const payload = reportPayload(await report());
    keep?.(payload);
    const head = { hostname, pid, timestamp: nowNs() };
    await Promise.all([inject(allReport({ ...head, payload })), inject(memoryStatistics({ ...head, fields: this.#memory() }))]);
  }

  /** Figures of the V8 heap: sizes in bytes, and the estimated number of objects. */
  #memory(): Record<string, number> {
    const { total_heap_size: sys, used_heap_size: alloc, total_physical_size: held } = getHeapStatistics();
    const idle = Math.max(0, sys - alloc);
    return {
      HeapSys: sys,
      HeapAlloc: alloc,
      HeapIdle: idle,
      HeapInuse: sys - idle,
      HeapReleased: Math.max(0, sys - held),
      HeapObjects: Math.round(alloc / BYTES_PER_OBJECT),
    };
  }
}
