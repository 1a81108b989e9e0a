import type { SandboxReport } from '../sandbox/types.ts';

/** A figure of a report with what it counts: `count`, `B` or `ns`. */
export interface ReportField {
  readonly value: number | string;
  readonly representation: string;
}

/** What a plugin says about itself: its name and figures. */
export interface PluginReport {
  readonly name: string;
  readonly fields: Readonly<Record<string, ReportField>>;
}

/** The sections of a report, in the order in which they are shown. */
const REPORT_SECTIONS = ['globals', 'inputs', 'splitters', 'decoders', 'filters', 'outputs', 'encoders'] as const;

export type PipelineReport = Readonly<Record<(typeof REPORT_SECTIONS)[number], readonly PluginReport[]>>;

export const count = (value: number): ReportField => ({ value, representation: 'count' });
const bytes = (value: number): ReportField => ({ value, representation: 'B' });
const nanoseconds = (value: number): ReportField => ({ value: Math.trunc(value), representation: 'ns' });

/** Calls of which the time is taken, and their average. */
export class Stopwatch {
  #calls = 0;
  #milliseconds = 0;

  measure<T>(work: () => T, calls: number): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.#milliseconds += performance.now() - started;
      this.#calls += calls;
    }
  }

  get averageNs(): number {
    return this.#calls === 0 ? 0 : (this.#milliseconds * 1e6) / this.#calls;
  }
}

/** The figures of everything that has a matcher and a queue. */
export function runnerFields(pending: number, capacity: number, match: Stopwatch): Record<string, ReportField> {
  return {
    InChanCapacity: count(capacity),
    InChanLength: count(pending),
    // Matching is done where messages are routed, without a queue of its own.
    MatchChanCapacity: count(0),
    MatchChanLength: count(0),
    LeakCount: count(0),
    MatchAvgDuration: nanoseconds(match.averageNs),
  };
}

/** The figures of a sandbox, of any kind. */
export function sandboxFields(report: SandboxReport): Record<string, ReportField> {
  const { memory, instructions, output, processed, failures, averageNs } = report;
  return {
    Memory: bytes(memory.current),
    MaxMemory: bytes(memory.maximum),
    MaxInstructions: count(instructions.maximum),
    MaxOutput: bytes(output.maximum),
    ProcessMessageCount: count(processed),
    ProcessMessageFailures: count(failures),
    // Every call is timed.
    ProcessMessageSamples: count(processed),
    ProcessMessageAvgDuration: nanoseconds(averageNs),
  };
}

/** Those that a filter has besides. */
export function filterFields({ injected, timers = 0, timerAverageNs = 0 }: SandboxReport): Record<string, ReportField> {
  return { InjectMessageCount: count(injected), TimerEventSamples: count(timers), TimerEventAvgDuration: nanoseconds(timerAverageNs) };
}

/** A report as the payload of `svc.all-report`: only sections that have entries. */
export function reportPayload(report: PipelineReport): string {
  const sections = REPORT_SECTIONS.filter((section) => report[section].length > 0);
  const entries = sections.map((section) => [section, report[section].map(({ name, fields }) => ({ Name: name, ...fields }))]);
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

/** Figures that the text shows, in this order. */
const SHOWN = [
  ...['InChanCapacity', 'InChanLength', 'MatchChanCapacity', 'MatchChanLength', 'MatchAvgDuration', 'ProcessMessageCount'],
  ...['InjectMessageCount', 'Memory', 'MaxMemory', 'MaxInstructions', 'MaxOutput', 'ProcessMessageAvgDuration'],
  ...['TimerEventAvgDuration', 'SynchronousDecode'],
];

/** A report for people. */
export function reportText(report: PipelineReport): string {
  const lines = ['========[svc.all-report]========'];
  for (const section of REPORT_SECTIONS) {
    lines.push(`====${section.charAt(0).toUpperCase()}${section.slice(1)}====`);
    if (report[section].length === 0) lines.push('NONE');
    for (const { name, fields } of report[section]) {
      lines.push(`${name}:`);
      for (const field of SHOWN) if (fields[field] !== undefined) lines.push(`    ${field}: ${fields[field].value}`);
    }
  }
  return `${[...lines, '========'].join('\n')}\n`;
}
