/**
 * Decodes lines by grok patterns, as Logstash and Elasticsearch have them: `%{IPORHOST:client} %{WORD:method} %{NUMBER:bytes:int}`. Several patterns, one in
 * each line of `match`, are tried in order. A pattern may match anywhere in the record: use `^` and `$` to match all of it.
 *
 * `%{NAME:field}` makes a text a field, `%{NAME:field:type}` also converts it (int, long, float, double, boolean, string); groups of the expression itself, `(?<field>…)`,
 * become fields as well. `[source][ip]` is the field source.ip. A field that is captured several times becomes a list, and empty texts set none.
 *
 * The usual names of patterns are known, those for whole lines (SYSLOGLINE, COMBINEDAPACHELOG, HAPROXYHTTP, S3_ACCESS_LOG, CISCOFW106023 …) with the fields of old, or with
 * those of the Elastic Common Schema when `ecs` is set. Definitions of one's own, `NAME expression` in each line, stand in `patterns` and `patterns_file`; they win.
 *
 * Some fields become headers of the message. The parameters name these fields; of several names, separated by commas, the first one that the record has is
 * used. Times are read as json_lines reads them, or by date_formats in the letters of Logstash's date filter. A value that does not fit its header stays a field.
 *
 * Expressions are in Ruby's syntax. What JavaScript has no counterpart of, such as subexpression calls, is refused with its name when the decoder starts.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { DatePattern } from '../modules/date_pattern.ts';
import { AnyDate } from '../modules/any_date.ts';
import { configuredClock } from '../modules/time_zone.ts';
import type { LogMessage } from '../modules/table_writer.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { captured, GrokPatterns, type Grok } from '../lib/grok/grok.ts';
import { NAMED_FIELDS } from '../lib/parameters.ts';
import { RecordMessage } from '../lib/record_message.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

const TIMES = 'timestamp, @timestamp, timestamp8601, syslog_timestamp, syslog5424_ts, accept_date, haproxy.request_date, time, date';

export const meta: PluginMeta = {
  name: 'grok',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes lines by grok patterns, as Logstash and Elasticsearch have them.',
  recordSummary: PROGRAM_SUMMARY,
  parameters: {
    match: { type: 'string', summary: 'The patterns, one in each line; the first that matches counts.', required: true },
    patterns: {
      type: 'string',
      summary: 'Definitions of patterns of your own: a name, a blank and an expression in each line.',
      default: '',
    },
    patterns_file: {
      type: 'string',
      summary: 'Files with such definitions, with commas between their paths.',
      default: '',
      format: 'files',
    },
    ecs: { type: 'bool', summary: 'Whether the usual patterns name fields as the Elastic Common Schema does.', default: false },
    ecs_compatibility: {
      type: 'string',
      summary:
        'The same as Logstash has it: v1 and v8 for the names of the Elastic Common Schema, disabled for those of old. It wins over `ecs`.',
      values: ['disabled', 'v1', 'v8'],
    },
    dot_all: {
      type: 'bool',
      summary: 'Whether the dot matches line ends, so that %{GREEDYDATA} takes all lines of a record, as Logstash has it.',
      default: true,
    },
    date_formats: {
      type: 'string',
      summary:
        'Forms of the time, with || between them: letters as in yyyy-MM-dd HH:mm:ss,SSS, or ISO8601, UNIX, UNIX_MS; all usual forms when it is empty.',
      default: '',
    },
    time_field: {
      type: 'string',
      summary: `Fields that are the time: ${TIMES} when it is not set. When it is, a time that cannot be read is refused.`,
    },
    severity_field: {
      type: 'string',
      summary: 'Fields that are the severity.',
      default: 'level, loglevel, log.level, severity, severity_label',
    },
    message_field: {
      type: 'string',
      summary: 'Fields that are the Payload.',
      default: 'message, msg, logmessage, syslog5424_msg, syslog_message',
    },
    hostname_field: {
      type: 'string',
      summary: 'Fields that are the Hostname.',
      default: 'hostname, host.hostname, logsource, syslog_server, sysloghost, syslog5424_host, syslog_hostname',
    },
    logger_field: { type: 'string', summary: 'Fields that are the Logger.', default: 'logger, class, log.logger' },
    pid_field: { type: 'string', summary: 'Fields that are the Pid.', default: 'pid, process.pid, syslog5424_proc, syslog_pid' },
    ...NAMED_FIELDS,
  },
  examples: [
    {
      title: 'a line of a web server',
      config: { match: '%{COMBINEDAPACHELOG}' },
      in: '203.0.113.9 - alice [05/Mar/2021:14:07:59 +0100] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "curl/7.38.0"',
      out: {
        Timestamp: '1614949679000000000',
        Fields: {
          clientip: '203.0.113.9',
          auth: 'alice',
          verb: 'GET',
          request: '/a?b=1',
          httpversion: '1.1',
          response: '200',
          bytes: '5120',
          agent: 'curl/7.38.0',
        },
      },
    },
    {
      title: 'patterns of its own, types, and a form of the time',
      config: {
        match:
          '^%{STAMP:timestamp} \\[%{LOGLEVEL:level}\\] %{QUEUE:[queue][id]}: %{NUMBER:took:float} ms, %{INT:size:int} B, (?<ok>yes|no)\n%{GREEDYDATA:message}',
        patterns: '# of the mail server\nSTAMP %{YEAR}%{MONTHNUM2}%{MONTHDAY} %{TIME}\nQUEUE [0-9A-F]{10,11}',
        date_formats: 'yyyyMMdd HH:mm:ss,SSS',
        tz: '+01:00',
        type: 'mail',
      },
      in: '20210305 14:07:59,250 [WARN] BEF25A72965: 1.5 ms, 5120 B, yes',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'mail',
        Severity: 4,
        Fields: { 'queue.id': 'BEF25A72965', took: 1.5, size: 5120, ok: 'yes' },
      },
    },
    {
      title: 'syslog, with the names of the Elastic Common Schema',
      config: { match: '%{SYSLOGLINE}', ecs: true },
      in: { Payload: 'Mar  5 13:07:59 box1 sshd[4411]: Accepted publickey for root', Timestamp: '1614949680000000000' },
      out: {
        Timestamp: '1614949679000000000',
        Hostname: 'box1',
        Pid: 4411,
        Payload: 'Accepted publickey for root',
        Fields: { 'process.name': 'sshd' },
      },
    },
    { title: 'a line that no pattern matches', config: { match: '^%{IP:client}$' }, in: 'localhost', fails: 'no pattern matches' },
  ],
};

/** Match of a group. */
interface Captured {
  readonly text: string;
  readonly value: Scalar | bigint;
}

const SEPARATOR = '||';
/** Names that Logstash's date filter has for forms of times. */
const NAMED_FORMATS: Readonly<Record<string, RegExp>> = {
  ISO8601: /^\d{4}-?\d\d-?\d\d[T ]/,
  UNIX: /^\d{1,11}(?:\.\d+)?$/,
  UNIX_MS: /^\d{1,14}$/,
};

const noMatch: ProcessStatus = [-1, 'no pattern matches'];
const now = (): number => read_message('Timestamp') ?? 0;
const clock = configuredClock();
const anyDate = new AnyDate(now, clock);
const patterns = compiled();
const readers = stringConfig('date_formats')
  .split(SEPARATOR)
  .map((format) => format.trim())
  .filter(Boolean)
  .map(dateReader);
const times = stringConfig('time_field', TIMES)
  .split(',')
  .map((name) => name.trim());
const record = new RecordMessage({ time: TIMES });

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = text.slice(start, withoutLineEnd(text, start, end));
  for (const grok of patterns) {
    const found = grok.match(line);
    if (found !== null) return inject(grok, found, line);
  }
  return noMatch;
}

function compiled(): Grok[] {
  const known = new GrokPatterns([stringConfig('patterns_file'), stringConfig('patterns')], usesEcs(), boolConfig('dot_all'));
  const lines = stringConfig('match')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.map((line) => {
    try {
      return known.compile(line);
    } catch (error) {
      throw new TypeError(`match: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  });
}

function usesEcs(): boolean {
  const compatibility = stringConfig('ecs_compatibility', null);
  return compatibility === null ? boolConfig('ecs') : compatibility !== 'disabled';
}

function inject({ captures }: Grok, found: RegExpExecArray, line: string): ProcessStatus {
  const values = new Map<string, Captured[]>();
  for (const [i, capture] of captures.entries()) {
    const text = found[i];
    if (capture === undefined || text === undefined || text === '') continue;
    const one = { text, value: captured(text, capture.type) };
    const others = values.get(capture.name);
    if (others === undefined) values.set(capture.name, [one]);
    else others.push(one);
  }
  const known: LogMessage = {};
  const timeName = readers.length === 0 ? undefined : times.find((name) => values.has(name));
  const ns = timeName === undefined ? null : timeOf(values.get(timeName)?.[0]?.text ?? '');
  if (ns !== null) known.Timestamp = ns;
  record.begin();
  for (const [name, list] of values) {
    const [first] = list;
    if (first === undefined || (name === timeName && ns !== null)) continue;
    // A header is made of the text: a number may have more digits than a double holds.
    if (list.length === 1) record.add(name, first.value, undefined, first.text);
    else
      record.add(
        name,
        list.every(({ value }) => typeof value === typeof first.value)
          ? (list.map(({ value }) => value) as readonly Scalar[])
          : list.map(({ value }) => String(value)),
      );
  }
  return record.inject(line, 0, line.length, known);
}

/** The time that the first fitting form makes of a text; null when none does. */
function timeOf(text: string): bigint | null {
  for (const read of readers) {
    const ns = read(text);
    if (ns !== null) return ns;
  }
  return null;
}

function dateReader(format: string): (text: string) => bigint | null {
  const form = Object.hasOwn(NAMED_FORMATS, format) ? NAMED_FORMATS[format] : undefined;
  if (form !== undefined) return (text) => (form.test(text) ? anyDate.parse(text) : null);
  try {
    const pattern = new DatePattern(format, now, clock);
    return (text) => pattern.parse(text);
  } catch (error) {
    throw new TypeError(`date_formats: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
