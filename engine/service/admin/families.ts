import { packageVersion } from '../../base/product/version.ts';
import type { PipelineReport, ReportField } from '../../pipeline/plugin-report.ts';
import type { Family, Sample } from './exposition.ts';
import type { NoticeCounts } from './notice-counts.ts';
import { problemOf } from './readiness.ts';

/** Facts about a service beside the report on its plugins. */
export interface ServiceFigures {
  /** Reasons for which it is not ready. */
  readonly reasons: readonly string[];
  /** Bytes of memory of its processes. */
  readonly memory: number;
  readonly notices: NoticeCounts;
}

const KINDS = { inputs: 'input', decoders: 'decoder', filters: 'filter', outputs: 'output', encoders: 'encoder' } as const;
const SECTIONS = Object.keys(KINDS) as (keyof typeof KINDS)[];

type FigureRow = readonly [figure: string, name: string, type: 'counter' | 'gauge', help: string];

/** The figures of plugins that are metrics. */
const FIGURES: readonly FigureRow[] = [
  [
    'ProcessMessageCount',
    'sluicebox_plugin_messages',
    'counter',
    'Records that an input has read; messages that another plugin was given.',
  ],
  [
    'ProcessMessageFailures',
    'sluicebox_plugin_failed_messages',
    'counter',
    'Messages that a script has refused or an output could not write.',
  ],
  ['InjectMessageCount', 'sluicebox_plugin_injected_messages', 'counter', 'Messages that a filter has made.'],
  [
    'DropMessageCount',
    'sluicebox_plugin_dropped_messages',
    'counter',
    'Messages that were lost: no room for them, or their target refused them.',
  ],
  ['InChanLength', 'sluicebox_plugin_waiting_batches', 'gauge', 'Batches that wait for a filter or output.'],
  ['InChanCapacity', 'sluicebox_plugin_waiting_batches_limit', 'gauge', 'Waiting batches at which all inputs wait.'],
  ['LeakCount', 'sluicebox_plugin_leaked_batches', 'gauge', 'Batches that a plugin holds for longer than max_pack_idle.'],
  ['ProcessMessageBytes', 'sluicebox_input_bytes', 'counter', 'Bytes that an input has read.'],
  ['UnreadBytes', 'sluicebox_input_unread_bytes', 'gauge', 'Bytes of files that are there and not read.'],
  ['AcknowledgedMessageCount', 'sluicebox_input_acknowledged_messages', 'counter', 'Records that went through everything.'],
  ['OpenBatchCount', 'sluicebox_input_open_batches', 'gauge', 'Batches that were read and did not go through everything.'],
  ['CheckpointAge', 'sluicebox_input_checkpoint_age_seconds', 'gauge', 'Time for which progress has waited to be on the disk.'],
  ['LostFileCount', 'sluicebox_input_lost_files', 'counter', 'Files that were removed or emptied before they were read, as by a rotation.'],
  ['LostFileBytes', 'sluicebox_input_lost_bytes', 'counter', 'Bytes of these files that were not read.'],
  ['WrittenBytes', 'sluicebox_output_bytes', 'counter', 'Bytes that the target of an output has taken.'],
  ['QueueSize', 'sluicebox_buffer_bytes', 'gauge', 'Bytes that wait in a disk buffer.'],
  ['QueueLimit', 'sluicebox_buffer_limit_bytes', 'gauge', 'Bytes that may wait in a disk buffer, if there is a limit.'],
  ['QueueAge', 'sluicebox_buffer_age_seconds', 'gauge', 'Time for which the oldest message waits in a disk buffer, since this start.'],
  ['Memory', 'sluicebox_script_memory_bytes', 'gauge', 'Memory of a script.'],
  ['ProcessorTime', 'sluicebox_script_cpu_seconds', 'counter', 'Processor time of a script.'],
];

/** The metrics of a service. */
export function familiesOf(report: PipelineReport, { reasons, memory, notices }: ServiceFigures): Family[] {
  const { user, system } = process.cpuUsage();
  const routed = report.globals.find(({ name }) => name === 'Router')?.fields['ProcessMessageCount'];
  return [
    { name: 'sluicebox_build', type: 'info', help: 'The version.', samples: [{ labels: { version: packageVersion() }, value: 1 }] },
    single('sluicebox_ready', 'gauge', 'Whether /ready says so.', reasons.length === 0 ? 1 : 0),
    {
      name: 'sluicebox_plugin_up',
      type: 'gauge',
      help: 'Whether a plugin does its work: 0 for one that /ready names.',
      samples: upSamples(report),
    },
    single(
      'sluicebox_routed_messages',
      'counter',
      'Messages that went to filters and outputs, those that filters made included.',
      valueOf(routed),
    ),
    ...FIGURES.map(([figure, name, type, help]) => ({ name, type, help, samples: samplesOf(report, figure) })),
    { name: 'sluicebox_notices', type: 'counter', help: 'Events that the log tells or counts, by code.', samples: notices.samples },
    single('sluicebox_memory_bytes', 'gauge', 'Memory of the service and its hosts.', memory),
    single('process_cpu_seconds', 'counter', 'Processor time of the service without its hosts.', (user + system) / 1e6),
    single('process_resident_memory_bytes', 'gauge', 'Resident memory of the service without its hosts.', process.memoryUsage.rss()),
    single('process_start_time_seconds', 'gauge', 'Start of the service since 1970.', performance.timeOrigin / 1000),
  ];
}

const single = (name: string, type: 'counter' | 'gauge', help: string, value: number): Family => ({
  name,
  type,
  help,
  samples: [{ labels: {}, value }],
});

const upSamples = (report: PipelineReport): Sample[] =>
  (['inputs', 'filters', 'outputs'] as const).flatMap((section) =>
    report[section].map((plugin) => ({ labels: { kind: KINDS[section], plugin: plugin.name }, value: problemOf(plugin) === null ? 1 : 0 })),
  );

/** The values of a figure. Those of instances of one name, such as the decoders of several files, are added up: each name is there once. */
function samplesOf(report: PipelineReport, figure: string): Sample[] {
  return SECTIONS.flatMap((section) => {
    const sums = new Map<string, number>();
    for (const { name, fields } of report[section]) {
      if (fields[figure] !== undefined) sums.set(name, (sums.get(name) ?? 0) + valueOf(fields[figure]));
    }
    return Array.from(sums, ([plugin, value]) => ({ labels: { kind: KINDS[section], plugin }, value }));
  });
}

const valueOf = ({ value, representation }: ReportField = { value: 0, representation: '' }): number =>
  representation === 'ns' ? Number(value) / 1e9 : Number(value);
