import { z } from 'zod';
import { DEFAULT_LIMITS } from '../../sandbox/contract/types.ts';
import { matching, receiver } from '../../section/receiver.ts';
import { retries } from '../../section/restart.ts';
import { bytes, count, flag, isTimeZone, path, scriptConfig, seconds, text } from '../../section/values.ts';

/** Parameters of every section that runs a script. */
export const script = {
  plugin: text.min(1).optional().describe('Name of a bundled script. Either this or `filename` is required.'),
  filename: path
    .optional()
    .describe(
      'Path of a script of your own, `.js` or `.ts`. A relative path starts at `share_dir`, or else at the folder of the configuration file.',
    ),
  script_type: z.literal('js').default('js').describe('Language of the script.'),
  module_directory: text
    .optional()
    .describe(
      'Folders that `require` searches before the bundled modules, in order, separated by `;`. Relative ones start where scripts do.',
    ),
  preserve_data: flag.default(false).describe("Keep the script's global variables over a restart."),
  memory_limit: bytes.default(DEFAULT_LIMITS.memory).describe('Memory that the script may hold. 0: no limit.'),
  instruction_limit: count
    .default(DEFAULT_LIMITS.instructions)
    .describe(
      'Steps of one call into the script. 0: no limit. Inputs never have one. Those of bundled scripts are counted only when a limit is set.',
    ),
  output_limit: bytes.default(DEFAULT_LIMITS.output).describe('Size of one payload or encoded message. 0: no limit.'),
  profile: flag
    .default(false)
    .describe(
      'For a filter: measure the time of each of its first calls of `process_message`. Reports show the average as ' +
        '`ProfileMessageAvgDuration`.',
    ),
  config: scriptConfig
    .prefault({})
    .describe("The script's own parameters, read with `read_config`. They are listed on the page of each script."),
};

export const ticker = {
  ticker_interval: seconds.default(0).describe('Time between two calls of `timer_event`. 0: none.'),
};

const names = z.array(text.min(1)).meta({ shown: 'list of names' });

const inputs = {
  inputs: names
    .optional()
    .describe(
      'In the workspace file of the window: sections of the inputs whose messages it gets, such as `["file:/var/log/syslog"]`. All, when it is missing.',
    ),
  stopped_for: names
    .optional()
    .describe('In the workspace file of the window: sections of the inputs for which someone stopped it. Its Stop and Start write them.'),
};

export const exit = {
  can_exit: flag
    .default(true)
    .describe('The service goes on when this plugin ends. false: it stops with exit code 1, and what was not processed comes again.'),
};

export const noRestart = {
  retries: retries.optional().describe('Accepted for older configurations; without effect: a script that ended stays ended.'),
};

export const shutdownTimer = {
  timer_event_on_shutdown: flag.default(false).describe('Call `timer_event` once more when the service stops.'),
};

type Values = Readonly<Record<string, unknown>>;
/** Makes a check of several parameters run even when a single one is wrong, so that all problems are reported at once. */
const always = { when: (): boolean => true };

export const oneScript = (value: Values): boolean => (value.plugin === undefined) !== (value.filename === undefined);
export const ONE_SCRIPT = { ...always, error: 'needs either plugin, the name of a bundled script, or filename, the path of your own' };

export function zone({ config }: Values): boolean {
  const tz = typeof config === 'object' && config !== null && 'tz' in config ? config.tz : undefined;
  return tz === undefined || isTimeZone(tz);
}
export const ZONE = { ...always, error: 'must be UTC, Local or a time zone such as Europe/Berlin', path: ['config', 'tz'] };

const NOT_CALLED = 'Without effect on decoders and encoders, which are called for each record or message.';

/** Parameters that other scripts have, and that mean nothing to decoders and encoders. */
export const othersHave = {
  ticker_interval: ticker.ticker_interval.unwrap().optional().describe(NOT_CALLED),
  timer_event_on_shutdown: flag.optional().describe(NOT_CALLED),
  message_matcher: matching.message_matcher.optional().describe(NOT_CALLED),
  message_signer: receiver.message_signer.describe(NOT_CALLED),
  use_buffering: flag.optional().describe(NOT_CALLED),
  buffering: receiver.buffering.unwrap().optional().describe(NOT_CALLED),
  retries: retries.optional().describe(NOT_CALLED),
  can_exit: flag.optional().describe(NOT_CALLED),
};
export const OTHERS_HAVE = Object.keys(othersHave) as readonly (keyof typeof othersHave)[];

export const sandboxDecoder = z
  .strictObject({ type: z.literal('SandboxDecoder'), ...script, ...othersHave })
  .refine(oneScript, ONE_SCRIPT)
  .refine(zone, ZONE);

export const sandboxFilter = z
  .strictObject({
    type: z.literal('SandboxFilter'),
    ...matching,
    ...inputs,
    ...ticker,
    ...script,
    ...receiver,
    ...noRestart,
    ...shutdownTimer,
    ...exit,
  })
  .refine(oneScript, ONE_SCRIPT);

export const sandboxEncoder = z
  .strictObject({ type: z.literal('SandboxEncoder'), ...script, ...othersHave })
  .refine(oneScript, ONE_SCRIPT)
  .refine(zone, ZONE);
