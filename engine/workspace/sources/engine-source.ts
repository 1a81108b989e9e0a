import { hostname } from 'node:os';
import type { Input, InputSink, InputStats } from '../../inputs/types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { mergeReports, type PipelineReport } from '../../pipeline/plugin-report.ts';
import { SelfMonitor } from '../../service/self-monitor.ts';
import type { SourceFacts } from './facts.ts';
import type { FilterTemplate } from '../file/templates.ts';

/** Kind, label and location of the engine as a source. */
export const ENGINE_FACTS: SourceFacts = { kind: 'engine', label: 'This engine', location: 'reports of the engine on itself' };
/** The name by which filters select the engine as an input. */
export const ENGINE_SECTION = 'this_engine';

const REPORT_SECONDS = 5;

/** Filters that watch the engine. They get only the engine's own messages and have no sections in the workspace file. */
export const ENGINE_TEMPLATES: readonly FilterTemplate[] = [
  {
    name: 'engine_memory',
    script: 'svc_memstat',
    matcher: "Type == 'svc.memstat'",
    config: { rows: 720, sec_per_row: REPORT_SECONDS },
    ticker: REPORT_SECONDS,
    builtIn: true,
  },
  {
    name: 'engine_failures',
    script: 'process_message_failures',
    matcher: "Type == 'svc.all-report'",
    config: {},
    ticker: REPORT_SECONDS,
    builtIn: true,
  },
];

export interface EngineInputOptions {
  /** Collects the reports of the pipelines of all sources. */
  readonly reports: () => Promise<readonly PipelineReport[]>;
  readonly seconds?: number;
}

/** The engine as an input: `svc.all-report` and `svc.memstat` from time to time, and the ends of filters as they happen. */
export class EngineInput implements Input {
  readonly name = ENGINE_SECTION;
  readonly #options: EngineInputOptions;
  #sink: InputSink | null = null;
  #monitor: SelfMonitor | null = null;
  #records = 0;

  constructor(options: EngineInputOptions) {
    this.#options = options;
  }

  start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    this.#monitor = new SelfMonitor({
      seconds: this.#options.seconds ?? REPORT_SECONDS,
      hostname: hostname(),
      pid: process.pid,
      report: async () => mergeReports(await this.#options.reports()),
      inject: (batch) => this.tell(batch),
      atOnce: true,
    });
    return Promise.resolve();
  }

  /** Delivers messages of the engine; does nothing when it is stopped. */
  async tell(batch: MessageBatch): Promise<void> {
    if (this.#sink === null) return;
    this.#records += batch.length;
    await this.#sink.deliver({ batch, firstLine: 0, acknowledge: () => undefined });
  }

  async stop(): Promise<void> {
    this.#sink = null;
    await this.#monitor?.stop();
  }

  stats(): InputStats {
    return { records: this.#records, bytes: 0, dropped: 0, totalBytes: 0 };
  }
}
