/**
 * Decodes lines of names and values, with the separators that the parameters set: `date=2021-03-05;user=alice;bytes=12`, `a: 1, b: "two, three"`.
 *
 * pair_separator stands between two pairs; a blank means any amount of white space, and around any other separator white space is ignored.
 * kv_separator stands between a name and its value. A value in double quotes is a text, with backslashes as in JSON, and may hold separators. Else
 * plain numbers are numbers (but not what a number is not written as, such as `007`, `1.10`, `1e3` or more than 16 digits), `true` and
 * `false` are booleans, and an empty value is left out. A name without a value is `true`.
 *
 * Some pairs become headers of the message. The parameters name these pairs; of several names, separated by commas, the first one that the record
 * has is used. Times and severities are read as json_lines reads them. A value that does not fit its header stays a field. When time_field is set,
 * a record whose time cannot be read is refused.
 */
import { stringConfig } from '../modules/config.ts';
import { pairDecoder } from '../lib/pair_decoder.ts';
import { NAMED_FIELDS, PAIRS } from '../lib/parameters.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

const TIMES = 'time, timestamp, ts, datetime, Time, Timestamp';

export const meta: PluginMeta = {
  name: 'key_value',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes lines of names and values with separators of your choice.',
  recordSummary: PROGRAM_SUMMARY,
  looks: [{ form: 'key_value', rank: 4 }],
  parameters: {
    pair_separator: { type: 'string', summary: 'The separator of two pairs.', default: ' ' },
    kv_separator: { type: 'string', summary: 'The separator of a name and its value.', default: '=' },
    time_field: {
      type: 'string',
      summary: `Names of the time: ${TIMES} when it is not set. When it is, a time that cannot be read is refused.`,
    },
    severity_field: { type: 'string', summary: 'Names of the severity.', default: 'level, severity, Level, Severity' },
    message_field: { type: 'string', summary: 'Names of the Payload.', default: 'message, msg, Message, Msg' },
    ...PAIRS,
    ...NAMED_FIELDS,
  },
  examples: [
    {
      title: 'semicolons and colons',
      config: { pair_separator: ';', kv_separator: ':', number_fields: 'bytes:B' },
      in: 'time: 2021-03-05 13:07:59; level: ERROR; message: "disk: full; stop"; bytes: 12; path: /srv/a b',
      out: {
        Timestamp: '1614949679000000000',
        Severity: 3,
        Payload: 'disk: full; stop',
        Fields: { bytes: { value: 12, representation: 'B' }, path: '/srv/a b' },
      },
    },
    {
      title: 'a firewall',
      config: { type: 'firewall' },
      in: 'SRC=192.0.2.1 DST=198.51.100.7 LEN=60 TTL=118 PROTO=TCP DPT=23 SYN',
      out: {
        Type: 'firewall',
        Fields: { SRC: '192.0.2.1', DST: '198.51.100.7', LEN: 60, TTL: 118, PROTO: 'TCP', DPT: 23, SYN: true },
      },
    },
    { title: 'another separator', config: { pair_separator: '|' }, in: 'a: 1 | b: 2', fails: 'no pair of a name and a value' },
    { title: 'a value without a name', in: 'a=1 =2', fails: 'a value without a name' },
  ],
};

const decode = pairDecoder({ separator: stringConfig('pair_separator'), assignment: stringConfig('kv_separator') }, { time: TIMES });

export function process_message(): ProcessStatus {
  return decode();
}
