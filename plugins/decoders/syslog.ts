/**
 * Decodes lines of syslog: RFC 5424, RFC 3164, and the lines that syslog daemons write to files such as /var/log/syslog, with dates such as `Mar  5
 * 13:07:59` or `2021-03-05T13:07:59.250+01:00`; also the output of journalctl with -o short-iso, short-full and short-unix.
 *
 * | Part | Becomes |
 * |---|---|
 * | priority `<34>` | Severity and the field syslogfacility; without one the Severity is that of a level at the beginning of the text (`ERROR:`, `[warn]`, `level=info`), if there is one |
 * | date | Timestamp |
 * | host | Hostname |
 * | tag, or the application's name | the field programname |
 * | process | Pid when it is a number, else the field procid |
 * | message id | the field msgid |
 * | structured data `[id name="value"]` | a field `id.name` for each value, in order |
 * | the rest | Payload, without its line end and byte order mark |
 * | the same when it is JSON, logfmt, a line of an access log or a record with a date in the form of a program's log | headers and fields, as the decoder of that form makes them; those of the line become the fields envelope_time, envelope_severity, envelope_hostname and envelope_pid when the record has others |
 *
 * A count of octets in front of the priority (RFC 5425) is left out. A `-` in RFC 5424 means that there is no value and sets nothing. When a line has a priority but no date, all text behind the priority is the
 * message, as RFC 3164 demands. Dates without a year belong to the latest year that puts them no more than a day after the time at which the line
 * was read, so a December line that is read in January belongs to last year. Dates without a zone are in the zone of tz, also in headers of RFC 5424
 * (Juniper). Meraki's seconds since 1970, and the date, time and zone in the values of FortiGate, Sophos and SonicWall, are the Timestamp as well.
 */
import { SYSLOG_COLUMNS } from '../lib/columns.ts';
import { LEVEL_LINE, SYSLOG_LINE } from '../lib/syslog/syslog_looks.ts';
import { KEEP_PREFIX, TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { SyslogMessage } from '../lib/syslog/syslog_message.ts';
import { SYSLOG_SUMMARY } from '../lib/summaries.ts';

/** A count of octets in front of a priority, and another one in the same line. */
const OCTETS = /^\d{1,7} <\d{1,3}>[^\n]{8,1000}?\d{1,7} <\d{1,3}>(?:\d |[A-Z][a-z]{2} )/;

export const meta: PluginMeta = {
  name: 'syslog',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes syslog lines: RFC 5424, RFC 3164 and the files of syslog daemons.',
  split: { by: 'records', cases: { lines: 'line', indented: { before: /\S/ }, octets: 'octets' } },
  columns: SYSLOG_COLUMNS,
  recordSummary: SYSLOG_SUMMARY,
  looks: [
    // Messages one behind the other, or with line ends in them.
    { text: OCTETS, records: /^\d{1,7} <\d{1,3}>\S/, least: 0.95, config: { type: 'syslog', records: 'octets' }, rank: 2 },
    { text: /\n[ \t]+\S/, lines: SYSLOG_LINE, not: LEVEL_LINE, config: { type: 'syslog', records: 'indented' }, rank: 2 },
    { lines: SYSLOG_LINE, not: LEVEL_LINE, config: { type: 'syslog' }, rank: 2 },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    unwrap: UNWRAP,
    prefix_keep: KEEP_PREFIX,
    records: {
      type: 'string',
      summary:
        'What a record is: lines, each line; indented, a line with those behind it that begin with white space; octets, as many bytes as the count in front of a message says.',
      default: 'lines',
      values: ['lines', 'indented', 'octets'],
    },
  },
  examples: [
    {
      title: 'a line of /var/log/syslog',
      in: { Payload: 'Mar  5 13:07:59 box1 sshd[4411]: Accepted publickey for root\n', Timestamp: '1614949680000000000' },
      out: {
        Timestamp: '1614949679000000000',
        Hostname: 'box1',
        Pid: 4411,
        Payload: 'Accepted publickey for root',
        Fields: { programname: 'sshd' },
      },
    },
    {
      title: 'a line of December that is read in January',
      config: { type: 'syslog' },
      in: { Payload: 'Dec 31 23:59:58 box1 kernel: [12345.678] usb 1-1: new device', Timestamp: '1609459202000000000' },
      out: {
        Timestamp: '1609459198000000000',
        Type: 'syslog',
        Hostname: 'box1',
        Payload: '[12345.678] usb 1-1: new device',
        Fields: { programname: 'kernel' },
      },
    },
    {
      title: 'a level in the text',
      in: { Payload: 'Mar  5 13:07:59 box1 app[7]: [warn] slow', Timestamp: '1614949680000000000' },
      out: {
        Timestamp: '1614949679000000000',
        Severity: 4,
        Hostname: 'box1',
        Pid: 7,
        Payload: '[warn] slow',
        Fields: { programname: 'app' },
      },
    },
    {
      title: 'an error of nginx, with a count of octets',
      in: '94 <13>1 2021-03-05T13:08:00Z box1 nginx 3 - - 2021/03/05 13:07:59 [error] 7#7: *99 no upstream',
      out: {
        Timestamp: '1614949679000000000',
        Severity: 3,
        Hostname: 'box1',
        Pid: 7,
        Payload: 'no upstream',
        Fields: {
          programname: 'nginx',
          syslogfacility: 1,
          tid: 7,
          connection: 99,
          envelope_time: '2021-03-05T13:08:00.000Z',
          envelope_severity: 5,
          envelope_pid: 3,
        },
      },
    },
    {
      title: 'RFC 3164 with a priority',
      in: { Payload: '<34>Nov  2 06:05:04 gate3 postfix/smtpd[9]: denied', Timestamp: '1604300000000000000' },
      out: {
        Timestamp: '1604297104000000000',
        Severity: 2,
        Hostname: 'gate3',
        Pid: 9,
        Payload: 'denied',
        Fields: { programname: 'postfix/smtpd', syslogfacility: 4 },
      },
    },
    {
      title: 'the date of a modern rsyslog',
      in: '2021-03-05T13:07:59.250+01:00 box1 systemd[1]: Started Session 4 of user root.',
      out: {
        Timestamp: '1614946079250000000',
        Hostname: 'box1',
        Pid: 1,
        Payload: 'Started Session 4 of user root.',
        Fields: { programname: 'systemd' },
      },
    },
    {
      title: 'RFC 5424 with structured data',
      in: '<165>1 2021-03-05T13:07:59.003Z h.example.org evntslog - ID47 [exampleSDID@32473 iut="3" eventSource="App \\"x\\""][meta sequenceId="2"] \ufeffAn event',
      out: {
        Timestamp: '1614949679003000000',
        Severity: 5,
        Hostname: 'h.example.org',
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
      title: 'a priority and nothing else that is known',
      in: '<13>use the BFG!',
      out: { Severity: 5, Payload: 'use the BFG!', Fields: { syslogfacility: 1 } },
    },
    {
      title: 'a line of another log',
      in: '203.0.113.9 - - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.1" 200 12',
      fails: 'neither a priority nor a date',
    },
  ],
};

const refusal: ProcessStatus = [-1, 'neither a priority nor a date'];
const message = new SyslogMessage({ levels: true, unwraps: true });

export function process_message(): ProcessStatus {
  const span = payload_span();
  return message.read(span) ? message.inject(span) : refusal;
}
