/**
 * Decodes error logs of PHP and of PHP-FPM: `[05-Mar-2021 13:07:59 UTC] PHP Warning:  Undefined variable $x in /srv/a.php on line 12`. The lines of a stack trace
 * belong to the record before them.
 *
 * | Part | Becomes |
 * |---|---|
 * | date; without a zone it is in the zone of tz | Timestamp |
 * | level | Severity: Fatal error 2, Parse error and ERROR 3, Warning 4, Notice 5, Deprecated 6 |
 * | kind of the error, when PHP has one | the field error |
 * | ` in FILE on line N`, ` in FILE:N` | the fields source and source_line; both stay in the message |
 * | `[pool www]` of PHP-FPM | the field pool |
 * | the rest | Payload, or the whole record with payload_keep |
 */
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { PHP } from '../lib/forms/php_errors.ts';

export const meta: PluginMeta = {
  name: 'php_error',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes error logs of PHP and PHP-FPM.',
  split: { before: /\[\d\d-[A-Z][a-z]{2}-\d{4} / },
  recordSummary: '[{error}: ]{Payload:error}',
  looks: [{ records: /^\[\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d(?:\.\d+)?(?: [\w/+:-]+)?\] (?:PHP |[A-Z]+: |\S)/ }],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'an error with its stack trace',
      in: '[05-Mar-2021 14:07:59 Europe/Berlin] PHP Fatal error:  Uncaught Exception: no in /srv/a.php:12\nStack trace:\n#0 {main}\n  thrown in /srv/a.php on line 12',
      out: {
        Timestamp: '1614949679000000000',
        Severity: 2,
        Payload: 'Uncaught Exception: no in /srv/a.php:12\nStack trace:\n#0 {main}\n  thrown in /srv/a.php on line 12',
        Fields: { error: 'Fatal error', source: '/srv/a.php', source_line: 12 },
      },
    },
    {
      title: 'PHP-FPM',
      config: { type: 'php', tz: '+01:00' },
      in: '[05-Mar-2021 14:07:59] WARNING: [pool www] server reached pm.max_children setting (5), consider raising it',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'php',
        Severity: 4,
        Payload: 'server reached pm.max_children setting (5), consider raising it',
        Fields: { pool: 'www' },
      },
    },
    {
      title: 'words of a script',
      in: '[05-Mar-2021 13:07:59 UTC] cart is empty',
      out: { Timestamp: '1614949679000000000', Payload: 'cart is empty', Fields: {} },
    },
    { title: 'a line of a stack trace alone', in: '#0 {main}', fails: 'no date of PHP' },
  ],
};

const decode = patternDecoder(PHP);

export function process_message(): ProcessStatus {
  return decode();
}
