import { z } from 'zod';
import { count, duration, path, text } from './values.ts';

/** The options of the `[svcd]` section. */
export const serviceSchema = z.strictObject({
  max_message_loops: count
    .default(4)
    .transform((loops) => Math.max(loops, 1))
    .describe('How often a message may lead to another one before that is refused as a loop. 0 is read as 1.'),
  max_process_inject: count.default(1).describe('Messages that a filter may inject in one `process_message`.'),
  max_timer_inject: count.default(10).describe('Messages that a filter may inject in one `timer_event`.'),
  max_process_duration: count
    .default(100_000)
    .meta({ shown: 'nanoseconds' })
    .describe('From this average on a managed filter counts as slow.'),
  max_message_size: z.int().min(1025).default(65_536).meta({ shown: 'bytes' }).describe('Largest message, encoded.'),
  plugin_chansize: z.int().min(1).default(30).describe('Batches that may wait in front of each plugin before its source has to wait.'),
  sample_denominator: z.int().min(1).default(1000).describe('One in so many calls is timed.'),
  maxprocs: z.int().min(1).default(1).describe('Sandbox hosts that run at the same time.'),
  hostname: text.optional().describe('Hostname of internal messages. Default: the name of this machine.'),
  base_dir: path.optional().describe('Folder for checkpoints, queues and preserved state. Default: the data folder of the user.'),
  share_dir: path.optional().describe('Folder of scripts and modules, read only. Default: the bundled scripts.'),
  pid_file: path
    .optional()
    .describe('File that holds the process number while the service runs. A start is refused when it names a live process.'),
  log_flags: z.int().default(3).describe('What stands before a line of the log: 0 nothing, 3 date and time.'),
  full_buffer_max_retries: count.default(10).describe('How often a start waits for a disk buffer that is over 90 % full.'),
  poolsize: z.int().min(1).default(100).describe('Taken for the sake of older configurations; without effect.'),
  max_pack_idle: duration.prefault('2m').describe('Taken for the sake of older configurations; without effect.'),
  cpuprof: path.optional().describe('Taken for the sake of older configurations; without effect.'),
  memprof: path.optional().describe('Taken for the sake of older configurations; without effect.'),
});

export type ServiceConfig = z.output<typeof serviceSchema>;
