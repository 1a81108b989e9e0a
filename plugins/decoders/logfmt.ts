/**
 * Decodes lines of logfmt: `ts=2021-03-05T13:07:59Z level=info msg="request done" status=200 cached`.
 *
 * Some pairs become headers of the message. The parameters name these pairs; of several names, separated by commas, the first one that the record
 * has is used. All others become fields of their names. A value in quotes is a text, with backslashes as in JSON. Else plain numbers are numbers
 * (but not what a number is not written as, such as `007`, `1.10`, `1e3` or more than 16 digits), `true` and `false` are booleans, and an
 * empty value is left out. A name without a value is `true`. Times and severities are read as json_lines reads them.
 *
 * `date=2021-03-05 time=13:07:59`, perhaps with `tz="+0100"` or `timezone="CET"` further on, is one time, as FortiGate and Sophos write it.
 *
 * A value that does not fit its header stays a field. When time_field is set, a record whose time cannot be read is refused. A line without any
 * pair is refused.
 */
import { PAIR_MESSAGES, PAIR_SEVERITIES, PAIR_TIMES } from '../lib/header/pair_headers.ts';
import { pairDecoder } from '../lib/pair_decoder.ts';
import { NAMED_FIELDS, PAIRS } from '../lib/parameters.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'logfmt',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes lines of logfmt: names and values with an equals sign between them.',
  recordSummary: PROGRAM_SUMMARY,
  looks: [{ form: 'logfmt', rank: 4 }],
  parameters: {
    time_field: {
      type: 'string',
      summary: `Names of the time: ${PAIR_TIMES} when it is not set. When it is, a time that cannot be read is refused.`,
    },
    severity_field: { type: 'string', summary: 'Names of the severity.', default: PAIR_SEVERITIES },
    message_field: { type: 'string', summary: 'Names of the Payload.', default: PAIR_MESSAGES },
    ...PAIRS,
    ...NAMED_FIELDS,
  },
  examples: [
    {
      title: 'a request of a service in Go',
      in: 'ts=2021-03-05T13:07:59.123456789Z level=warn msg="took \\"long\\"" method=GET status=200 dur=1.5s cached id=007 err=',
      out: {
        Timestamp: '1614949679123456789',
        Severity: 4,
        Payload: 'took "long"',
        Fields: { method: 'GET', status: 200, dur: '1.5s', cached: true, id: '007' },
      },
    },
    {
      title: 'numbers with units',
      config: { number_fields: 'status, size:B', type: 'app' },
      in: 't=1614949679.5 lvl=eror status=500 size=12 retries=3 ok=false',
      out: {
        Timestamp: '1614949679500000000',
        Type: 'app',
        Severity: 3,
        Fields: { status: 500, size: { value: 12, representation: 'B' }, retries: '3', ok: false },
      },
    },
    { title: 'a line of plain text', in: 'Server started on port 80', fails: 'no pair of a name and a value' },
    { title: 'a line that was cut off', in: 'level=info msg="took lo', fails: 'a quote that does not end' },
  ],
};

const decode = pairDecoder({ separator: ' ', assignment: '=' }, { time: PAIR_TIMES });

export function process_message(): ProcessStatus {
  return decode();
}
