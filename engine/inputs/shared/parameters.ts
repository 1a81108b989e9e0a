import { z } from 'zod';
import { compilePattern, PatternError } from '../../matcher/regex/pattern.ts';
import { restart } from '../../section/restart.ts';
import { flag, text } from '../../section/values.ts';
import { InputError } from '../notices.ts';
import { compileDelimiter } from '../splitters/delimiter.ts';

/** Parameters that several types of inputs share. */

const synchronousDecode = {
  synchronous_decode: flag
    .default(false)
    .describe('Accepted for older configurations, without effect. Decoders run beside everything else and keep the order of records.'),
};
const end = {
  can_exit: flag.default(false).describe('Whether the service continues when this input ends.'),
  ...restart,
};

/** Parameters of an input that makes no messages. */
export const ending = { ...synchronousDecode, ...end };

/** Seconds by which a clock can be wrong: ten years. */
const MOST_OFFSET = 315_576_000;

export const timeOffset = z
  .number()
  .min(-MOST_OFFSET)
  .max(MOST_OFFSET)
  .default(0)
  .meta({ shown: 'seconds' })
  .describe(
    'Seconds that are added to the time of each message, for logs whose clock was wrong: 7200 for a clock that was two hours behind.',
  );

/** Parameters of every input that makes messages. */
export const decoding = {
  decoder: text
    .min(1)
    .optional()
    .describe(
      'Name of a decoder section or of a bundled decoder; `protobuf` for framed messages; in a FileInput also `auto`. `auto` chooses a decoder for each file by its first lines, and the log names it. It also knows the decoders in the folder `scripts` beside the configuration or in that of `share_dir`. A file that no decoder recognises is read by lines, and lines that its decoder refuses by the next likely one. Without a decoder, records stay as they are.',
    ),
  ...synchronousDecode,
  send_decode_failures: flag
    .default(false)
    .describe(
      'Route records that the decoder refuses, as they are, with the fields `decode_failure` and `decode_error`. By default they are dropped and ' +
        'counted. Records after the end of a decoder are always routed like that.',
    ),
  time_offset: timeOffset,
  log_decode_failures: flag.default(true).describe('Log why records were refused.'),
  ...end,
};

/** Accepted signers with their keys. Names end with the version of the key. */
const signers = z
  .record(
    z.string().regex(/^.+_\d+$/, { error: 'must be named like ops_1, the name of the signer and the version of the key' }),
    z.strictObject({ hmac_key: text.min(1) }),
  )
  .meta({ shown: 'table' });

/** Parameters of inputs that can take messages instead of records. */
export const framing = {
  signers: signers
    .prefault({})
    .describe(
      'For `framing`: the keys of the signers whose messages are taken, as `[NAME.signers.SIGNER_VERSION]` with `hmac_key`. Signed messages ' +
        'without a fitting key are dropped and counted; unsigned ones are taken.',
    ),
  skip_authentication: flag.default(false).describe('For `framing`: accept signed messages without checking their signatures.'),
};

/** Description of the `framing` splitter, shared by all inputs that have it. */
export const FRAMING = ' `framing`: framed protobuf messages, which need no decoder and keep their headers.';

const clocks = z.enum(['wall', 'message']);
const clockText = (why: string): string =>
  `The clock of the filters that get its messages: \`wall\` is that of this machine, \`message\` follows the timestamps of the messages. ${why}`;

export const clock = (why: string) => clocks.default('wall').describe(clockText(why));
/** The same where another one counts when none is chosen. */
export const optionalClock = (why: string) => clocks.optional().describe(clockText(why));

/** These words, or `regex:` with a regular expression of RE2 syntax behind it. */
const splitterOf = (words: readonly string[]) =>
  text
    .check((context) => {
      const { value } = context;
      if (words.includes(value)) return;
      let wrong = value.startsWith('regex:') ? '' : `must be ${words.join(', ')} or regex: with a regular expression, not "${value}"`;
      try {
        if (wrong === '') compilePattern(value.slice('regex:'.length));
        if (wrong === '') compileDelimiter(value.slice('regex:'.length));
      } catch (error) {
        if (error instanceof InputError) wrong = error.message;
        else if (error instanceof PatternError) wrong = `is not a regular expression: ${error.message}`;
        else throw error;
      }
      if (wrong !== '') context.issues.push({ code: 'custom', input: value, message: wrong });
    })
    .meta({ shown: `${words.map((word) => `\`${word}\``).join(', ')} or \`regex:…\`` });

export const splitter = splitterOf(['line', 'none', 'framing']);
/** The splitter of a source that a script reads from. */
export const recordSplitter = splitterOf(['line', 'none']);
/** The splitter of an input that can ask its decoder. */
export const fileSplitter = splitterOf(['auto', 'line', 'none', 'framing']);

/** Time between two looks of an input that looks again and again. */
export const interval = z.int().min(1).meta({ shown: 'seconds' });
