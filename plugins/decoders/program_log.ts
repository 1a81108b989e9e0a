/**
 * Decodes logs of programs in the default layouts of logging libraries and programs: Python's logging (also as configured by certbot, fail2ban,
 * cloud-init, gunicorn and Airflow) and loguru, log4j, logback and Spring Boot, java.util.logging as configured by Tomcat, Kafka, Hadoop,
 * Elasticsearch, ZooKeeper, Serilog, Monolog and Laravel, Ruby's Logger, Rust's env_logger and tracing, Go's log and zap's console, spdlog, NATS,
 * MongoDB, MySQL and MariaDB, Cassandra, Celery. A record begins with a date, or with a level and a date. Other lines, such as a stack trace,
 * belong to the record before them. Escape sequences for colours are removed.
 *
 * | Part | Becomes |
 * |---|---|
 * | date; without a zone it is in that of tz | Timestamp |
 * | level in any case: `WARN`, `[INFO ]`, `Error` | Severity |
 * | logger or class | Logger |
 * | process | Pid |
 * | thread, place in the source, code of the message | the fields thread, source and code |
 * | pairs or an object behind the words, as zap, zerolog, slog, hclog, structlog and tracing write them | fields of their names |
 * | the rest, with the lines that follow | Payload, or the whole record with payload_keep |
 *
 * Parts that a layout leaves open are looked for as generic does: a level, a process, a thread, and a component behind the date.
 */
import { boolConfig } from '../modules/config.ts';
import { Envelope } from '../lib/envelope.ts';
import { KEEP_RECORD, TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { programLayouts } from '../lib/forms/program_layouts.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

const CLOCK = String.raw`\d\d:\d\d:\d\d`;
/** Zones behind times, in the syntax of patterns for recognition: without a look at what follows. */
const LINE_ZONE = String.raw`(?: \((?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?\)| ?\[?(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?| [+-]\d\d:?\d\d)?(?: \([^()\n]{2,60}\))?\]?| ?(?:Z|[+-]\d\d(?::?\d\d)?(?: [A-Z]{3,5})?)| [[(]?(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific|US)/[A-Z][\w/+-]{1,40}[\])]?)`;
const LINE_DATE = String.raw`(?:\d{4}[-/.]\d\d[-/.]\d\d(?:[T ]\d\d|  \d):\d\d:\d\d|\d\d[ -](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -]\d{4} ${CLOCK})(?:[.,]\d{1,9}|:\d{6})?${LINE_ZONE}?`;
const LEVELS = 'TRACE|DEBUG|INFO|NOTICE|NOTE|WARN|WARNING|ERROR|SEVERE|CRIT|CRITICAL|FATAL|ALERT|EMERGENCY|PANIC|FINE|FINER|FINEST|CONFIG';
const SMALL_LEVELS =
  'trace|debug|info|notice|note|warn|warning|error|severe|crit|critical|fatal|alert|emergency|panic|fine|finer|finest|config';
const SMALL_COLUMN = 'trace|debug|info|notice|warn|warning|error|critical|fatal|Trace|Debug|Info|Notice|Warn|Warning|Error|Critical|Fatal';
const BEHIND = String.raw`^\[?${LINE_DATE}\]?(?:[^\n]{0,60}?[\s\[.])?(?:(?:${LEVELS})[\s:\]]|\[(?:[A-Z][a-z]+|[A-Z]{3}|[a-z]{4,8}) *\])`;
const RIGHT_BEHIND = String.raw`^\[?${LINE_DATE}\]?(?: |:|\t| - )(?:(?:${SMALL_LEVELS}|${LEVELS}):|[DIWEF]\d? +[A-Z]{3,} |\S+\[(?:${LEVELS})\]: )`;
const BEFORE = String.raw`^(?:[A-Z], |(?:\[ ?)?(?:${LEVELS}) {0,9}\]?:?\s+(?:\[[^\]\n]{1,80}\] )?|\[\d+\] )\[?${LINE_DATE}[\]\s,]|^(?:${LEVELS}):${LINE_DATE}:`;

/** The names of processes in front of a date, as Ray and mpirun write them, and dates and levels of other forms. */
const OF_PROCESS = String.raw`(?:\([^)\n]{1,80}\)|\[\d+,\d+\]<\w{3,6}>:?|\[[^\]\n\d][^\]\n]{0,40}\]:?)(?:\x1b\[[\d;]*m)* ?`;
/** Names of programs and streams in front of a date that has a level behind it: lines of settings have names and dates as well. */
const OF_NAME = String.raw`(?:@?[A-Za-z][\w.@-]*(?:[ \t]*\||:)(?:\x1b\[[\d;]*m)* ?|> |<\w+> ?)\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*(?: - [\w.]+ -|[ \t]+\S+)?[ \t]+\[?(?:${LEVELS})[ \t:\]|]`;
/** Lines of access logs, java.util.logging's first lines and the levels of uvicorn. */
const OF_SERVERS = String.raw`[\da-fA-F.:]{3,45} \S{1,80} \S{1,80} \[\d\d/[A-Z][a-z]{2}/\d{4}:\d|[A-Z][a-z]{2} \d\d?, \d{4} \d\d?:\d\d:\d\d [AP]M |(?:INFO: {5}|DEBUG: {4}|WARNING: {2}|ERROR: {4}|CRITICAL: )\S`;
const OTHER_FORMS = String.raw`\d\d?[./]\d\d?[./]\d{4},? \d\d:\d\d:\d\d|time="?\d{4}-\d\d-\d\dT|\{"|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d|\w{3} [ \d]\d \d\d:\d\d:\d\d [\w.-]+ [\w./-]+(?:\[\d+\])?: `;

export const meta: PluginMeta = {
  name: 'program_log',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes logs of programs with dates, levels and stack traces: Python, Java, .NET, PHP, Ruby, Rust.',
  split: {
    // A date, perhaps with brackets, a level and a thread, or colours in front of it: lines of a stack trace have none.
    before: String.raw`(?:\x1b\[[\d;]*m)*(?:${OTHER_FORMS}|${OF_SERVERS}|${OF_NAME}|(?:${OF_PROCESS})?(?:\[ ?)?(?:[A-Z]+:|\w+ {0,9}\]?[:,]?[ \t]+(?:\[[^\]\n]{1,80}\] |\[)?)?(?:\d{4}[-/.]\d\d[-/.]\d\d(?:[T ]\d\d|  \d):\d\d:\d\d|\d\d[ -][A-Z][a-z]{2}[ -]\d{4} \d\d:\d\d:\d\d))`,
    // The head of what log show of macOS prints.
    preamble: /^Timestamp {2,}\S/,
  },
  columns: ['thread'],
  recordSummary: PROGRAM_SUMMARY,
  looks: [
    {
      // A column of small words, some of which begin no sentence.
      text: String.raw`(?:^|\n)\[?${LINE_DATE}\]? (?:info|debug|Info|Debug) [^\s|:\[-]`,
      lines: String.raw`^\[?${LINE_DATE}\]? (?:${SMALL_COLUMN}) `,
      least: 0.95,
      fewest: 3,
      config: { small_levels: true },
      rank: 6,
    },
    {
      // A level in capitals, or in brackets, not far behind a date or right before it.
      records: `${BEHIND}|${RIGHT_BEHIND}|${BEFORE}`,
      least: 0.95,
      rank: 6,
    },
    { lines: String.raw`^\[?${LINE_DATE}\]?:? +\S`, least: 0.95, fewest: 2, rank: 6 },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    small_levels: {
      type: 'bool',
      summary:
        'Whether a level in small letters between the date and a word, with nothing that marks it, is one: 2021-03-05 13:07:59 error no route.',
      default: false,
    },
    unwrap: UNWRAP,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'Python, with a traceback',
      in: '2021-03-05 13:07:59,250 - shop.db - ERROR - no connection\nTraceback (most recent call last):\n  File "/srv/shop.py", line 7, in <module>\nOSError: no route',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 3,
        Logger: 'shop.db',
        Payload: 'no connection\nTraceback (most recent call last):\n  File "/srv/shop.py", line 7, in <module>\nOSError: no route',
        Fields: {},
      },
    },
    {
      title: 'Spring Boot',
      config: { type: 'app', tz: '+01:00' },
      in: '2021-03-05 14:07:59.250  WARN 4123 --- [           main] o.e.shop.Checkout                        : slow',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'app',
        Severity: 4,
        Pid: 4123,
        Logger: 'o.e.shop.Checkout',
        Payload: 'slow',
        Fields: { thread: 'main' },
      },
    },
    {
      title: 'log4j',
      in: '2021-03-05 13:07:59,250 INFO  [main] org.example.Shop - open',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 6,
        Logger: 'org.example.Shop',
        Payload: 'open',
        Fields: { thread: 'main' },
      },
    },
    {
      title: 'Laravel',
      in: '[2021-03-05 13:07:59] production.ERROR: Class "Cart" not found {"exception":"[object] (Error)"}',
      out: {
        Timestamp: '1614949679000000000',
        Severity: 3,
        Logger: 'production',
        Payload: 'Class "Cart" not found {"exception":"[object] (Error)"}',
        Fields: {},
      },
    },
    {
      title: 'MySQL 8',
      in: '2021-03-05T13:07:59.250123Z 0 [Warning] [MY-010068] [Server] CA certificate ca.pem is self signed.',
      out: {
        Timestamp: '1614949679250123000',
        Severity: 4,
        Logger: 'Server',
        Payload: 'CA certificate ca.pem is self signed.',
        Fields: { thread: '0', code: 'MY-010068' },
      },
    },
    {
      title: 'zap, with its fields',
      in: '2021-03-05T13:07:59.250Z\tWARN\tcart/add.go:12\tfull\t{"cart": 7, "shop": "x y"}',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 4,
        Payload: 'full',
        Fields: { source: 'cart/add.go:12', cart: 7, shop: 'x y' },
      },
    },
    {
      title: 'structlog',
      in: "2021-03-05 13:07:59 [error    ] no room                        [shop.cart] cart=7 why='x y'",
      out: {
        Timestamp: '1614949679000000000',
        Severity: 3,
        Logger: 'shop.cart',
        Payload: 'no room',
        Fields: { cart: 7, why: 'x y' },
      },
    },
    { title: 'a line of a stack trace alone', in: '\tat org.example.Shop.sell(Shop.java:7)', fails: 'no date at the start' },
  ],
};

const envelope = new Envelope();
const OBJECT = '{"';

/** Objects of JSON behind a time are opened; other texts are words. */
const open: Envelope['open'] = (text, time) => (text.startsWith(OBJECT) ? envelope.open(text, time) : null);
const decode = patternDecoder(programLayouts({ smallLevels: boolConfig('small_levels') }), open);

export function process_message(): ProcessStatus {
  return decode();
}
