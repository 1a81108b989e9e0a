/**
 * Decodes logs of Redis and its relatives: `4123:M 05 Mar 2021 13:07:59.250 * Ready to accept connections`.
 *
 * | Part | Becomes |
 * |---|---|
 * | process | Pid |
 * | role: M master, S replica, C child, X sentinel | the field role |
 * | date, which is in the zone of tz | Timestamp; a date without a year, of Redis 4 and before, is one of the last twelve months |
 * | level: `.` debug, `-` verbose, `*` notice, `#` warning | Severity: 7, 7, 5, 4 |
 * | the rest | Payload, or the whole record with payload_keep |
 */
import { KEEP_LINE, TYPE, ZONE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { REDIS } from '../lib/forms/redis_lines.ts';
import { TEXT_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'redis',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes logs of Redis.',
  recordSummary: TEXT_SUMMARY,
  looks: [{ lines: /^(?:\d+:[A-Z]|\[\d+[^\]]*\]) \d\d [A-Z][a-z]{2}(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d+)? [.*#-] / }],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'a master',
      in: '4123:M 05 Mar 2021 13:07:59.250 * Ready to accept connections',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 5,
        Pid: 4123,
        Payload: 'Ready to accept connections',
        Fields: { role: 'M' },
      },
    },
    {
      title: 'an older server',
      config: { type: 'redis' },
      in: { Payload: '[4123] 05 Mar 13:07:59.250 # WARNING overcommit_memory is set to 0!', Timestamp: '1614949680000000000' },
      out: {
        Timestamp: '1614949679250000000',
        Type: 'redis',
        Severity: 4,
        Pid: 4123,
        Payload: 'WARNING overcommit_memory is set to 0!',
        Fields: {},
      },
    },
    { title: 'a line of the banner', in: "  `-._    `-._`-.__.-'_.-'    _.-'", fails: 'no process, date and level of Redis' },
  ],
};

const decode = patternDecoder(REDIS);

export function process_message(): ProcessStatus {
  return decode();
}
