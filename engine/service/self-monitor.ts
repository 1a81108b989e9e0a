import { getHeapStatistics, queryObjects } from 'node:v8';
import type { MessageBatch } from '../message/batch.ts';
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
  /** The first report comes at once, not after that time. */
  readonly atOnce?: boolean;
}

/** Reports on the service itself, as messages of the pipeline: `svc.all-report` and `svc.memstat`. */
export class SelfMonitor {
  readonly #options: SelfMonitorOptions;
  readonly #timer: NodeJS.Timeout;
  #turn: Promise<void> | null = null;
  /** Bytes of the heap for each object in it. */
  readonly #bytesPerObject: number;

  constructor(options: SelfMonitorOptions) {
    this.#options = options;
    // Counting stops the engine for tens of milliseconds: so it is done before anything runs.
    this.#bytesPerObject = getHeapStatistics().used_heap_size / Math.max(1, queryObjects(Object, { format: 'count' }));
    this.#timer = setInterval(() => this.#tick(), options.seconds * 1000).unref();
    if (options.atOnce === true) this.#tick();
  }

  /** Ends it; a report that is under way is through then. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#turn;
  }

  /** A tick that comes while a report is under way is left out. */
  #tick(): void {
    this.#turn ??= this.#send()
      .catch(() => undefined)
      .finally(() => (this.#turn = null));
  }

  async #send(): Promise<void> {
    const { report, inject, hostname, pid } = this.#options;
    const payload = reportPayload(await report());
    const head = { hostname, pid, timestamp: nowNs() };
    await Promise.all([inject(allReport({ ...head, payload })), inject(memoryStatistics({ ...head, fields: this.#memory() }))]);
  }

  /** The heap of the engine, in bytes. What it has and does not use is what it has given back. */
  #memory(): Record<string, number> {
    const { total_heap_size: sys, used_heap_size: alloc, total_physical_size: held } = getHeapStatistics();
    const idle = Math.max(0, sys - alloc);
    return {
      ...{ HeapSys: sys, HeapAlloc: alloc, HeapIdle: idle, HeapInuse: sys - idle, HeapReleased: Math.max(0, sys - held) },
      HeapObjects: Math.round(alloc / this.#bytesPerObject),
    };
  }
}
