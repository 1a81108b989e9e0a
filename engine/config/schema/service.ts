import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { count, duration, flag, path, text } from '../../section/values.ts';

/** Options of `[svcd]` that are paths: relative ones start at the folder of the configuration file. */
export const SERVICE_PATHS = ['base_dir', 'share_dir', 'pid_file', 'cpuprof', 'memprof'] as const;

/** More processes than cores gain nothing but a place of its own for each script, and each takes some 45 MB. */
const PROCESSES_PER_CORE = 4;
export const MOST_PROCESSES = Math.max(8, PROCESSES_PER_CORE * availableParallelism());

const tooManyProcesses = ({ input }: { readonly input?: unknown }): string =>
  `must be at most ${MOST_PROCESSES} on this machine, not ${String(input)}: more than ${PROCESSES_PER_CORE} for each core only take memory`;

/** The options of the `[svcd]` section. */
export const serviceSchema = z.strictObject({
  max_message_loops: count
    .default(4)
    .transform((loops) => Math.max(loops, 1))
    .describe(
      'Longest chain of messages of which each was injected because of the one before. A filter that would exceed it ends. 0 counts as 1.',
    ),
  max_process_inject: count.default(1).describe('Messages that a filter may inject in one `process_message`.'),
  max_timer_inject: count.default(10).describe('Messages that a filter may inject in one `timer_event`.'),
  max_message_size: z
    .int()
    .min(1025)
    .default(65_536)
    .meta({ shown: 'bytes' })
    .describe('Largest framed message. Inputs skip larger ones and outputs leave them out; the log says so.'),
  poolsize: z.int().min(1).default(8).describe('Batches of one input that may be in the pipeline at once. At this number the input waits.'),
  plugin_chansize: z.int().min(1).default(30).describe('Batches that may wait for each plugin. At this number all inputs wait.'),
  maxprocs: z
    .int()
    .min(1)
    .refine((processes) => processes <= MOST_PROCESSES, { error: tooManyProcesses })
    .optional()
    .describe('Number of hosts, the processes that run scripts: at most 4 for each core, or 8. Default: one for each core, at most 4.'),
  bundled_in_hosts: flag
    .default(false)
    .describe(
      'Bundled scripts run in hosts, too, as those of users do. Otherwise bundled decoders that keep nothing from one record to the next run in threads ' +
        'of the service, and with `--until-idle` most bundled scripts in its process: the results are the same, with less work.',
    ),
  hostname: text.optional().describe('Hostname of internal messages. Default: the name of this machine.'),
  base_dir: path
    .optional()
    .describe(
      'Folder for checkpoints, disk buffers and preserved state. Only one service can use it at a time. Default: the data folder of the user. ' +
        'All services share that one, and it tells plugins apart by their names only.',
    ),
  share_dir: path
    .optional()
    .describe(
      'Folder where relative paths of scripts begin; modules are also looked for in its folder `modules`. Default: the folder of the ' +
        'configuration file.',
    ),
  pid_file: path
    .optional()
    .describe('File that holds the process number while the service runs. If it names a process that runs, the service does not start.'),
  log_flags: z
    .int()
    .min(0)
    .max(3)
    .default(3)
    .describe('Prefix of the lines of the log: 0 none, 1 the date, 2 the time, 3 both, in local time.'),
  max_process_duration: count
    .default(100_000)
    .meta({ shown: 'nanoseconds' })
    .describe(
      'A filter that was loaded by a manager ends when inputs wait for it and its `process_message` takes longer than this on average, or its matcher ' +
        'a fifth of this.',
    ),
  sample_denominator: z
    .int()
    .min(1)
    .default(1000)
    .describe('One in about this many calls of `process_message` is timed, beginning with the first.'),
  full_buffer_max_retries: count
    .default(10)
    .describe(
      'How often the service waits at its start for a disk buffer that is nearly full, each time longer, before it starts the inputs anyway or, by the ' +
        '`full_action` `shutdown`, ends.',
    ),
  max_pack_idle: duration
    .prefault('2m')
    .describe(
      'If a filter or output holds a batch longer than this, a warning is logged every 30 s and the batch is counted as `LeakCount` in reports.',
    ),
  cpuprof: path
    .optional()
    .describe('File for a profile of the time that the service takes, written at its end, for developer tools (`.cpuprofile`).'),
  memprof: path
    .optional()
    .describe('File for a profile of the memory that the service holds, written at its end, for developer tools (`.heapprofile`).'),
});

export type ServiceConfig = z.output<typeof serviceSchema>;
