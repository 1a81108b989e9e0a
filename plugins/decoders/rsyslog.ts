/**
 * Decodes lines that rsyslog writes with a template, such as the default one for files.
 *
 * | Property | Becomes |
 * |---|---|
 * | timestamp, timereported | Timestamp |
 * | pri | Severity and the field syslogfacility |
 * | syslogseverity, syslogpriority, also with `-text` | Severity, unless pri is in the template |
 * | hostname, else source | Hostname, unless hostname_keep makes them fields |
 * | syslogtag | the field programname, and Pid |
 * | msg | Payload |
 * | all others | a field of the property's name in lower case |
 *
 * The parameter template may also be the name of one of rsyslog's own templates, such as RSYSLOG_FileFormat. The options of dates determine their
 * form; other options and positions are ignored. Properties match case-insensitively. A line end at the end of the template (`\n`) is one in the line or
 * the end of the record, since splitters take line ends off; elsewhere `\n` takes `\r\n` as well. The message ends at the literal behind it, or at the end of
 * the line. So do other properties in lines that cannot be read otherwise, as in `%app-name%[%procid%]:`. Text behind the last item is ignored.
 * Dates without a year belong to the latest year that puts them no more than a day after the time at which the line was read. Dates without a zone
 * are in the zone of tz.
 */
import { SYSLOG_COLUMNS } from '../lib/columns.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { injectWritten } from '../base/inject.ts';
import { Envelope } from '../lib/envelope.ts';
import { CollectedRecord } from '../lib/inner/collected_record.ts';
import { PayloadNote } from '../lib/inner/payload_note.ts';
import { wrapped } from '../lib/wrapped.ts';
import { TableWriter, type LogMessage } from '../modules/table_writer.ts';
import { LineReader } from '../lib/format/line_reader.ts';
import { TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { rsyslogTemplate } from '../lib/syslog/rsyslog_template.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { SYSLOG_SUMMARY } from '../lib/summaries.ts';

const TRADITIONAL = '%TIMESTAMP% %HOSTNAME% %syslogtag%%msg:::sp-if-no-1st-sp%%msg:::drop-last-lf%\\n';

export const meta: PluginMeta = {
  name: 'rsyslog',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes what rsyslog writes by a template.',
  columns: SYSLOG_COLUMNS,
  recordSummary: SYSLOG_SUMMARY,
  parameters: {
    template: { type: 'string', summary: "The template's text, as in rsyslog.conf.", required: true },
    type: TYPE,
    hostname_keep: { type: 'bool', summary: "Keep the Hostname that the message had; the line's becomes a field.", default: false },
    tz: ZONE,
    unwrap: UNWRAP,
  },
  examples: [
    {
      title: 'the traditional file format',
      config: { template: TRADITIONAL, type: 'syslog' },
      in: { Payload: 'Mar  5 13:07:59 box1 sshd[4411]: Accepted key for root\n', Timestamp: '1614949680000000000' },
      out: {
        Timestamp: '1614949679000000000',
        Type: 'syslog',
        Hostname: 'box1',
        Pid: 4411,
        Payload: 'Accepted key for root',
        Fields: { programname: 'sshd' },
      },
    },
    {
      title: 'the forwarding format of RFC 5424',
      config: { template: '<%pri%>%protocol-version% %TIMESTAMP:::date-rfc3339% %HOSTNAME% %app-name% %procid% %msgid% %msg%\\n' },
      in: '<165>1 2021-03-05T13:07:59.250Z h.example.org app 1234 ID47 text here\n',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 5,
        Hostname: 'h.example.org',
        Payload: 'text here',
        Fields: { syslogfacility: 20, 'protocol-version': '1', 'app-name': 'app', procid: '1234', msgid: 'ID47' },
      },
    },
    {
      title: "a line whose end the splitter took, by the name of the daemon's own template",
      config: { template: 'RSYSLOG_FileFormat' },
      in: '2021-03-05T13:07:59.250001+00:00 box1 sshd[4411]: no newline',
      out: { Timestamp: '1614949679250001000', Hostname: 'box1', Pid: 4411, Payload: 'no newline', Fields: { programname: 'sshd' } },
    },
    {
      title: 'a process that is not a number',
      config: { template: TRADITIONAL },
      in: 'Mar  5 13:07:59 box1 sshd[abc]: x\n',
      fails: 'no sp-if-no-1st-sp where the format has it',
    },
  ],
};

const type = stringConfig('type', null);
const reader = new LineReader(
  rsyslogTemplate(stringConfig('template'), {
    hostnameKeep: boolConfig('hostname_keep'),
    now: () => read_message('Timestamp') ?? 0,
    clock: configuredClock(),
  }),
  false,
);
const writer = message_writer(reader.columns);
const noted = new PayloadNote(writer);
const collected = new CollectedRecord(reader.columns);
const envelope = new Envelope();
const tables = new TableWriter();

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  if (!reader.read(envelope.opens ? noted.begin(text) : writer, text, start, end)) return reader.refusal;
  const inner = envelope.opens && noted.noted !== null ? envelope.open(noted.noted) : null;
  if (inner !== null) return injectOpened(inner, text, start, end);
  if (type !== null) writer.type(type);
  return injectWritten(writer);
}

/** Injects a line whose text is a record. */
function injectOpened(inner: LogMessage, text: string, start: number, end: number): ProcessStatus {
  writer.discard();
  reader.read(collected.begin(text), text, start, end);
  const outer = collected.take();
  if (type !== null) outer.Type = type;
  return tables.inject(wrapped(outer, inner));
}
