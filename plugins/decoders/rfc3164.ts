/**
 * Decodes lines of BSD syslog (RFC 3164): `<34>Oct 11 22:14:15 mymachine su[230]: 'su root' failed`. Lines without a priority, as daemons write
 * them to files, and dates of RFC 3339, as current daemons write them, are accepted too. Lines of RFC 5424 are refused.
 *
 * | Part | Becomes |
 * |---|---|
 * | priority `<34>` | Severity and the field syslogfacility; without one the Severity stays as it was |
 * | date | Timestamp |
 * | host | Hostname |
 * | tag | the field programname |
 * | process `[230]` | Pid when it is a number, else the field procid |
 * | the rest | Payload, without its line end |
 *
 * The date may have a fraction, a zone and the year behind it, or the year within it, and months may be written in any case; dates such as
 * `2021-03-05T13:07:59` need no zone. Numbers, a name and a `*` that network devices write in front of a date, and a colon behind it, are passed over. A
 * line that AIX forwarded has the host that it names.
 *
 * When a line has a priority but no date, all text behind the priority is the message. Dates without a year belong to the latest year that puts
 * them no more than a day after the time at which the line was read. Dates without a zone are in the zone of tz.
 */
import { SYSLOG_COLUMNS } from '../lib/columns.ts';
import { KEEP_PREFIX, TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { SyslogMessage } from '../lib/syslog/syslog_message.ts';
import { SYSLOG_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'rfc3164',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes lines of BSD syslog (RFC 3164).',
  columns: SYSLOG_COLUMNS,
  recordSummary: SYSLOG_SUMMARY,
  parameters: {
    type: TYPE,
    tz: ZONE,
    unwrap: UNWRAP,
    prefix_keep: KEEP_PREFIX,
  },
  examples: [
    {
      title: 'the example of the RFC',
      in: { Payload: "<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8", Timestamp: '1602454460000000000' },
      out: {
        Timestamp: '1602454455000000000',
        Severity: 2,
        Hostname: 'mymachine',
        Payload: "'su root' failed for lonvick on /dev/pts/8",
        Fields: { programname: 'su', syslogfacility: 4 },
      },
    },
    {
      title: 'a line of a file, two hours ahead of UTC',
      config: { tz: '+02:00', type: 'syslog' },
      in: { Payload: 'Mar  5 15:07:59 box1 sshd[4411]: Accepted publickey for root\n', Timestamp: '1614949680000000000' },
      out: {
        Timestamp: '1614949679000000000',
        Type: 'syslog',
        Hostname: 'box1',
        Pid: 4411,
        Payload: 'Accepted publickey for root',
        Fields: { programname: 'sshd' },
      },
    },
    {
      title: 'a router that writes the year behind the time',
      in: '<190>Apr 15 21:28:13 2007 linksys app: ok',
      out: {
        Timestamp: '1176672493000000000',
        Severity: 6,
        Hostname: 'linksys',
        Payload: 'ok',
        Fields: { programname: 'app', syslogfacility: 23 },
      },
    },
    { title: 'a line of RFC 5424', in: '<165>1 2021-03-05T13:07:59.003Z h.example.org evntslog - ID47 - x', fails: 'a line of RFC 5424' },
    { title: 'neither a priority nor a date', in: 'su: failed', fails: 'neither a priority nor a date' },
  ],
};

const noLine: ProcessStatus = [-1, 'neither a priority nor a date'];
const otherLine: ProcessStatus = [-1, 'a line of RFC 5424'];
const message = new SyslogMessage({ unwraps: true });

export function process_message(): ProcessStatus {
  const span = payload_span();
  if (!message.read(span)) return noLine;
  return message.line.structured ? otherLine : message.inject(span);
}
