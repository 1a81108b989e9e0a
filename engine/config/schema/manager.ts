import { z } from 'zod';
import { DEFAULT_LIMITS } from '../../sandbox/contract/types.ts';
import { retries } from '../../section/restart.ts';
import { bytes, count, flag, matcher, path, text } from '../../section/values.ts';

const NEVER_ENDS = 'Without effect: a manager does not end by itself.';

/** Type of the messages that a manager of filters obeys. */
export const CONTROL_TYPE = 'svc.control.sandbox';

export const sandboxManagerFilter = z.strictObject({
  type: z.literal('SandboxManagerFilter'),
  message_matcher: matcher.default(`Type == '${CONTROL_TYPE}'`).describe('Matcher of the control messages that it accepts.'),
  message_signer: text
    .optional()
    .describe('Only messages that are signed by this name are obeyed. Without it, everybody who can send messages can run scripts here.'),
  max_filters: count.default(0).describe('Number of filters that may run at once; further ones are not loaded. 0: none.'),
  working_directory: path
    .default('sbxmgrs')
    .describe('Folder that keeps the scripts and their configurations. A relative path starts at `base_dir`.'),
  module_directory: text
    .optional()
    .describe('Folders that `require` of the filters searches before the bundled modules, in order, separated by `;`.'),
  memory_limit: bytes.default(DEFAULT_LIMITS.memory).describe('Memory that each filter may hold. 0: no limit.'),
  instruction_limit: count.default(DEFAULT_LIMITS.instructions).describe('Steps of one call into a filter. 0: no limit.'),
  output_limit: bytes.default(DEFAULT_LIMITS.output).describe('Size of one payload of a filter. 0: no limit.'),
  can_exit: flag.optional().describe(NEVER_ENDS),
  retries: retries.optional().describe(NEVER_ENDS),
});
