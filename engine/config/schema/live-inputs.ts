import { z } from 'zod';
import { clock, framing, FRAMING, source } from './inputs.ts';
import { address, count, flag, path, seconds, splitter, text } from './values.ts';

/** Inputs that look at the machine by themselves: files that are read again and again, commands, and counters. */

const interval = z.int().min(1).meta({ shown: 'seconds' });

export const filePollingInput = z.strictObject({
  type: z.literal('FilePollingInput'),
  file_path: path.describe('File to read, such as `/proc/loadavg`.'),
  ticker_interval: interval.default(5).describe('Time between two readings. The first one comes after it.'),
  splitter: splitter.default('none').describe(`How the content is cut into records; with \`none\` it is one record.${FRAMING}`),
  ...framing,
  ...source,
});

const command = z.strictObject({
  bin: path,
  args: z.array(text).default([]),
  env: z.array(text.regex(/^[^=]+=/, { error: 'must be NAME=value' })).default([]),
  directory: path.optional(),
});

/** A chain of commands: tables that are named 0, 1, … without a gap; as a list in that order. */
const commandChain = z
  .record(z.string().regex(/^(?:0|[1-9]\d*)$/, { error: 'must be a number: 0 for the first command, 1 for the one behind it …' }), command)
  .check((context) => {
    const found = Object.keys(context.value).length;
    const gap = Array.from({ length: found }, (_, i) => i).find((i) => !(i in context.value));
    const message = found === 0 ? 'needs a command 0' : gap === undefined ? null : `has no command ${gap}; commands are numbered from 0 on`;
    if (message !== null) context.issues.push({ code: 'custom', input: context.value, message });
  })
  .transform((table) => Object.keys(table).map((_, i) => table[String(i)] as z.output<typeof command>))
  .meta({ shown: 'tables' });

export const processInput = z.strictObject({
  type: z.literal('ProcessInput'),
  command: commandChain.describe(
    'What to run: `[NAME.command.0]` with `bin`, the program; `args`, a list; `env`, a list of `NAME=value` that replaces the whole environment; ' +
      'and `directory`, where to run it. Further ones, `[NAME.command.1]` …, read what the one before them writes.',
  ),
  ticker_interval: seconds
    .default(15)
    .describe(
      'Time between the starts of two runs; one that would start while another goes on is left out. 0: it runs once. What ends well then ends ' +
        'the input, and what fails is started again as its retries say.',
    ),
  immediate_start: flag.default(false).describe('The first run comes at once, not after `ticker_interval`.'),
  timeout: seconds.default(0).describe('A run that takes longer is killed, with everything that it has started. 0: none is.'),
  stdout: flag.default(true).describe('Take what the last command writes to standard output.'),
  stderr: flag.default(false).describe('Take what the last command writes to standard error.'),
  splitter: splitter.default('none').describe(`How the output is cut into records; with \`none\` that of a run is one record.${FRAMING}`),
  ...framing,
  ...source,
  clock: clock('wall', 'For a command that prints a log of the past and ends, `message` gives its graphs.'),
});

const { decoder: _decoder, send_decode_failures: _send, log_decode_failures: _log, ...ending } = source;

export const statsdInput = z.strictObject({
  type: z.literal('StatsdInput'),
  address: address.default('127.0.0.1:8125').describe('Where to listen, by UDP.'),
  stat_accum_name: text.min(1).default('StatAccumInput').describe('Name of the section of type StatAccumInput that counts what comes.'),
  max_msg_size: z.int().min(1).default(512).meta({ shown: 'bytes' }).describe('Longer datagrams are cut.'),
  ...ending,
});

const prefix = (usual: string, what: string): z.ZodDefault<z.ZodString> =>
  text.default(usual).describe(`Stands in front of the names of ${what}. Empty: nothing does.`);

export const statAccumInput = z
  .strictObject({
    type: z.literal('StatAccumInput'),
    emit_in_payload: flag.default(true).describe('Messages hold the stats as lines `NAME VALUE SECONDS` in the Payload.'),
    emit_in_fields: flag.default(false).describe('Messages hold the stats as fields, for `stat_graph` and matchers.'),
    percent_threshold: z
      .array(count.max(100))
      .default([90])
      .meta({ shown: 'list of percentages' })
      .describe('For each of them, timers get `mean_P` and `upper_P` of that part of their values, without the largest ones.'),
    message_type: text.default('svc.statmetric').describe('Type of the messages.'),
    ticker_interval: interval.default(10).describe('Time between two messages, and what rates are taken over.'),
    legacy_namespaces: flag
      .default(false)
      .describe('Counters are named `stats.NAME`, which is the rate, and `stats_counts.NAME`, and the number of stats `statsd.numStats`.'),
    global_prefix: prefix('stats', 'all stats'),
    counter_prefix: prefix('counters', 'counters'),
    timer_prefix: prefix('timers', 'timers'),
    gauge_prefix: prefix('gauges', 'gauges'),
    statsd_prefix: prefix('statsd', '`numStats`, the number of stats'),
    delete_idle_stats: flag.default(false).describe('Forget all stats after each message, so that only those are emitted that came since.'),
    ...source,
  })
  .refine((value) => value.emit_in_payload || value.emit_in_fields, {
    error: 'must be true, unless emit_in_fields is: otherwise no stat would be emitted',
    path: ['emit_in_payload'],
  });
