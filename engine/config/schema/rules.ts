import { z } from 'zod';
import { LEVELS } from '../../rules/model.ts';
import { retries } from '../../section/restart.ts';
import { flag, matcher, path, seconds, text } from '../../section/values.ts';

const NEVER_ENDS = 'Without effect: rules do not end by themselves.';

export const rulesFilter = z.strictObject({
  type: z.literal('RulesFilter'),
  rules: z
    .array(path)
    .min(1)
    .meta({ shown: 'list of paths' })
    .describe('Folders and files of Sigma rules. Changed files are read again; a rule that is broken then stays as it was.'),
  level: z.enum(LEVELS).default('low').describe('Least level of the rules whose hits become alerts.'),
  message_matcher: matcher.default('TRUE').describe('Matcher of the messages that the rules are run on. Messages of filters are left out.'),
  message_signer: text.optional().describe('Only messages that are signed by this name.'),
  alert_throttle: seconds
    .default(0)
    .describe(
      'Seconds of the time of messages within which a rule alerts only once, for each group of a correlation. 0: it alerts each time.',
    ),
  can_exit: flag.optional().describe(NEVER_ENDS),
  retries: retries.optional().describe(NEVER_ENDS),
});
