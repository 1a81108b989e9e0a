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
export const bytes = (value: number): ReportField => ({ value, representation: 'B' });
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
export function runnerFields(pending: number, capacity: number, match: { readonly averageNs: number }): Record<string, ReportField> {
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
  const { memory, instructions, output, processed, failures, times = { samples: processed, averageNs: report.averageNs } } = report;
  return {
    Memory: bytes(memory.current),
    MaxMemory: bytes(memory.maximum),
    MaxInstructions: count(instructions.maximum),
    MaxOutput: bytes(output.maximum),
    ProcessMessageCount: count(processed),
    ProcessMessageFailures: count(failures),
    ProcessMessageSamples: count(times.samples),
    ProcessMessageAvgDuration: nanoseconds(times.averageNs),
  };
}

/** Those that a filter has besides. */
export function filterFields({ injected, timers = 0, timerAverageNs = 0, profileTimes }: SandboxReport): Record<string, ReportField> {
  const profile = profileTimes && {
    ProfileMessageSamples: count(profileTimes.samples),
    ProfileMessageAvgDuration: nanoseconds(profileTimes.averageNs),
  };
  return {
    InjectMessageCount: count(injected),
    ...profile,
    TimerEventSamples: count(timers),
    TimerEventAvgDuration: nanoseconds(timerAverageNs),
  };
}

/** Those that an output has besides; it has no output of the kind that is measured. */
export function outputFields({ timers = 0, timerAverageNs = 0 }: SandboxReport): Record<string, ReportField> {
  return { TimerEventSamples: count(timers), TimerEventAvgDuration: nanoseconds(timerAverageNs) };
}

/** Those of an input: it counts what it injected, and is not timed. @param total bytes of the messages that it injected */
export function inputFields(report: SandboxReport, total: number): Record<string, ReportField> {
  const { ProcessMessageSamples: _samples, ProcessMessageAvgDuration: _average, ...fields } = sandboxFields(report);
  return { ...fields, ProcessMessageBytes: bytes(total) };
}

/** The reports of several pipelines as one: figures of the same global name are added up. */
export function mergeReports(reports: readonly PipelineReport[]): PipelineReport {
  const of = (section: keyof PipelineReport): PluginReport[] => reports.flatMap((report) => report[section]);
  const rest = { inputs: of('inputs'), splitters: of('splitters'), decoders: of('decoders'), filters: of('filters') };
  const globals = new Map<string, Record<string, ReportField>>();
  for (const { name, fields } of of('globals')) {
    const sums = globals.get(name) ?? {};
    for (const [figure, { value, representation }] of Object.entries(fields)) {
      sums[figure] = { value: Number(sums[figure]?.value ?? 0) + Number(value), representation };
    }
    globals.set(name, sums);
  }
  return {
    ...rest,
    outputs: of('outputs'),
    encoders: of('encoders'),
    globals: Array.from(globals, ([name, fields]) => ({ name, fields })),
  };
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
