/**
 * Decodes lines of the syslog protocol (RFC 5424): `<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut="3"] text`.
 *
 * | Part | Becomes |
 * |---|---|
 * | priority `<165>` | Severity and the field syslogfacility |
 * | date | Timestamp |
 * | host | Hostname |
 * | application's name | the field programname |
 * | process | Pid when it is a number, else the field procid |
 * | message id | the field msgid |
 * | structured data `[id name="value"]` | a field `id.name` for each value, in order; an element without values is a field `id` with an empty text |
 * | the rest | Payload, without its line end and byte order mark |
 *
 * A `-` means that there is no value and sets nothing. Lines of RFC 3164 are refused.
 */
import { SYSLOG_COLUMNS } from '../lib/columns.ts';
import { KEEP_PREFIX, TYPE, UNWRAP } from '../lib/parameters.ts';
import { SyslogMessage } from '../lib/syslog/syslog_message.ts';
import { SYSLOG_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'rfc5424',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes lines of the syslog protocol (RFC 5424), with structured data as fields.',
  columns: SYSLOG_COLUMNS,
  recordSummary: SYSLOG_SUMMARY,
  parameters: {
    type: TYPE,
    unwrap: UNWRAP,
    prefix_keep: KEEP_PREFIX,
  },
  examples: [
    {
      title: 'structured data',
      in: '<165>1 2021-03-05T13:07:59Z h.example.org evntslog 812 ID47 [exampleSDID@32473 iut="3" eventSource="App \\"x\\""][meta sequenceId="2"] \ufeffAn event',
      out: {
        Timestamp: '1614949679000000000',
        Severity: 5,
        Hostname: 'h.example.org',
        Pid: 812,
        Payload: 'An event',
        Fields: {
          programname: 'evntslog',
          syslogfacility: 20,
          msgid: 'ID47',
          'exampleSDID@32473.iut': '3',
          'exampleSDID@32473.eventSource': 'App "x"',
          'meta.sequenceId': '2',
        },
      },
    },
    {
      title: 'nothing but a message',
      config: { type: 'syslog' },
      in: '<34>1 - - - - - - hello\n',
      out: { Type: 'syslog', Severity: 2, Payload: 'hello', Fields: { syslogfacility: 4 } },
    },
    { title: 'a line of RFC 3164', in: '<34>Mar  5 13:07:59 box1 su: failed', fails: 'no header of RFC 5424' },
    { title: 'structured data that does not end', in: '<34>1 - h a - - [x k="open] m', fails: 'no header of RFC 5424' },
  ],
};

const refusal: ProcessStatus = [-1, 'no header of RFC 5424'];
const message = new SyslogMessage({ unwraps: true });

export function process_message(): ProcessStatus {
  const span = payload_span();
  return message.read(span) && message.line.structured ? message.inject(span) : refusal;
}
