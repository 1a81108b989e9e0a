import { printable } from '../api/printable.ts';
import type { SandboxReport } from '../sandbox/contract/types.ts';

/** A figure of a report with its unit: `count`, `B` or `ns`. */
export interface ReportField {
  readonly value: number | string;
  readonly representation: string;
}

/** Name and figures of a plugin. */
export interface PluginReport {
  readonly name: string;
  readonly fields: Readonly<Record<string, ReportField>>;
}

/** Sections of a report, in the order of the text. */
const REPORT_SECTIONS = ['globals', 'inputs', 'splitters', 'decoders', 'filters', 'outputs', 'encoders'] as const;

export type PipelineReport = Readonly<Record<(typeof REPORT_SECTIONS)[number], readonly PluginReport[]>>;

export const count = (value: number): ReportField => ({ value, representation: 'count' });
export const bytes = (value: number): ReportField => ({ value, representation: 'B' });
export const nanoseconds = (value: number): ReportField => ({ value: Math.trunc(value), representation: 'ns' });

/** Figures that a part counts itself. Their names say what they are: `…Bytes`, `…Age` in nanoseconds, or a count. */
export function ownFields(figures: Readonly<Record<string, number>> = {}): Record<string, ReportField> {
  const unit = (name: string): typeof count => (name.endsWith('Bytes') ? bytes : name.endsWith('Age') ? nanoseconds : count);
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, unit(name)(value)]));
}

/** The reason for which a part does not do its work now; none when it is null. */
export const problemField = (problem: string | null = null): Record<string, ReportField> =>
  problem === null ? {} : { Problem: { value: problem, representation: '' } };

/** Measures calls and keeps their average time. */
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

/** Figures of any plugin with a matcher and a queue. */
export function runnerFields(pending: number, capacity: number, match: { readonly averageNs: number }): Record<string, ReportField> {
  return {
    InChanCapacity: count(capacity),
    InChanLength: count(pending),
    // The router matches messages itself, without a queue.
    MatchChanCapacity: count(0),
    MatchChanLength: count(0),
    LeakCount: count(0),
    MatchAvgDuration: nanoseconds(match.averageNs),
  };
}

/** Figures of a sandbox of any kind. */
export function sandboxFields(report: SandboxReport): Record<string, ReportField> {
  const { memory, instructions, output, processed, failures, workMs, times = { samples: processed, averageNs: report.averageNs } } = report;
  return {
    ...(workMs === undefined ? {} : { ProcessorTime: nanoseconds(workMs * 1e6) }),
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

/** Additional figures of a filter. */
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

/** Additional figures of a script output, which injects nothing. */
export function outputFields({ timers = 0, timerAverageNs = 0 }: SandboxReport): Record<string, ReportField> {
  return { TimerEventSamples: count(timers), TimerEventAvgDuration: nanoseconds(timerAverageNs) };
}

/** Figures of an input, whose calls are not timed. @param total bytes of the messages that it injected */
export function inputFields(report: SandboxReport, total: number): Record<string, ReportField> {
  const { ProcessMessageSamples: _samples, ProcessMessageAvgDuration: _average, ...fields } = sandboxFields(report);
  return { ...fields, ProcessMessageBytes: bytes(total) };
}

/** Merges the reports of several pipelines; figures of globals with the same name are added up. */
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

/** Formats a report as the payload of `svc.all-report`, without empty sections. */
export function reportPayload(report: PipelineReport): string {
  const sections = REPORT_SECTIONS.filter((section) => report[section].length > 0);
  const entries = sections.map((section) => [section, report[section].map(({ name, fields }) => ({ Name: name, ...fields }))]);
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

/** Figures that the text shows, in this order. */
const SHOWN = [
  'InChanCapacity',
  'InChanLength',
  'MatchChanCapacity',
  'MatchChanLength',
  'MatchAvgDuration',
  'ProcessMessageCount',
  'InjectMessageCount',
  'Memory',
  'MaxMemory',
  'MaxInstructions',
  'MaxOutput',
  'ProcessMessageAvgDuration',
  'TimerEventAvgDuration',
  'SynchronousDecode',
];

/** Formats a report as text. */
export function reportText(report: PipelineReport): string {
  const lines = ['========[svc.all-report]========'];
  for (const section of REPORT_SECTIONS) {
    lines.push(`====${section.charAt(0).toUpperCase()}${section.slice(1)}====`);
    if (report[section].length === 0) lines.push('NONE');
    for (const { name, fields } of report[section]) {
      lines.push(`${printable(name)}:`);
      for (const field of SHOWN) if (fields[field] !== undefined) lines.push(`    ${field}: ${fields[field].value}`);
    }
  }
  return `${[...lines, '========'].join('\n')}\n`;
}
