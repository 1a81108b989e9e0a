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
 * | the rest, with the lines that follow | Payload, or the whole record with payload_keep |
 *
 * Parts that a layout leaves open are looked for as generic does: a level, a process, a thread, and a component behind the date.
 */
import { zoneHours } from '../base/zone_names.ts';
import { ZONE_BEHIND } from '../base/time/time_shapes.ts';
import { boolConfig } from '../modules/config.ts';
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { HeaderGroups } from '../lib/header/header_groups.ts';
import { patternDecoder, type Groups } from '../lib/pattern_decoder.ts';

const CLOCK = String.raw`\d\d:\d\d:\d\d`;
/** Zones behind times, in the syntax of patterns for recognition: without a look at what follows. */
const LINE_ZONE = String.raw`(?: ?\[?(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?(?: \([^()\n]{2,60}\))?\]?| ?(?:Z|[+-]\d\d(?::?\d\d)?(?: [A-Z]{3,5})?)| (?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|US)/[A-Z][\w/+-]{1,40})`;
const LINE_DATE = String.raw`(?:\d{4}[-/.]\d\d[-/.]\d\d(?:[T ]\d\d|  \d):\d\d:\d\d|\d\d[ -](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -]\d{4} ${CLOCK})(?:[.,]\d{1,9}|:\d{6})?${LINE_ZONE}?`;
const LEVELS = 'TRACE|DEBUG|INFO|NOTICE|NOTE|WARN|WARNING|ERROR|SEVERE|CRIT|CRITICAL|FATAL|ALERT|EMERGENCY|PANIC|FINE|FINER|FINEST|CONFIG';
const SMALL_LEVELS =
  'trace|debug|info|notice|note|warn|warning|error|severe|crit|critical|fatal|alert|emergency|panic|fine|finer|finest|config';
const SMALL_COLUMN = 'trace|debug|info|notice|warn|warning|error|critical|fatal|Trace|Debug|Info|Notice|Warn|Warning|Error|Critical|Fatal';
const BEHIND = String.raw`^\[?${LINE_DATE}\]?(?:[^\n]{0,60}?[\s\[.])?(?:(?:${LEVELS})[\s:\]]|\[(?:[A-Z][a-z]+|[A-Z]{3}|[a-z]{4,8}) *\])`;
const RIGHT_BEHIND = String.raw`^\[?${LINE_DATE}\]?(?: |:|\t| - )(?:(?:${SMALL_LEVELS}|${LEVELS}):|[DIWEF]\d? +[A-Z]{3,} |\S+\[(?:${LEVELS})\]: )`;
const BEFORE = String.raw`^(?:[A-Z], |(?:\[ ?)?(?:${LEVELS}) {0,9}\]?:?\s+(?:\[[^\]\n]{1,80}\] )?|\[\d+\] )\[?${LINE_DATE}[\]\s,]|^(?:${LEVELS}):${LINE_DATE}:`;

/** The names of processes in front of a date, as Ray and mpirun write them, and dates and levels of other forms. */
const OF_PROCESS = String.raw`(?:\([^)\n]{1,80}\)|\[\d+,\d+\]<\w{3,6}>:?|\[[^\]\n\d][^\]\n]{0,40}\])(?:\x1b\[[\d;]*m)* ?`;
const OTHER_FORMS = String.raw`\d\d?[./]\d\d?[./]\d{4},? \d\d:\d\d:\d\d|time="?\d{4}-\d\d-\d\dT|\{"|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d|\w{3} [ \d]\d \d\d:\d\d:\d\d [\w.-]+ [\w./-]+(?:\[\d+\])?: `;

export const meta: PluginMeta = {
  name: 'program_log',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes logs of programs with dates, levels and stack traces: Python, Java, .NET, PHP, Ruby, Rust.',
  split: {
    // A date, perhaps with brackets, a level and a thread, or colours in front of it: lines of a stack trace have none.
    before: String.raw`(?:\x1b\[[\d;]*m)*(?:${OTHER_FORMS}|(?:${OF_PROCESS})?(?:\[ ?)?(?:[A-Z]+:|\w+ {0,9}\]?[:,]?[ \t]+(?:\[[^\]\n]{1,80}\] |\[)?)?(?:\d{4}[-/.]\d\d[-/.]\d\d(?:[T ]\d\d|  \d):\d\d:\d\d|\d\d[ -][A-Z][a-z]{2}[ -]\d{4} \d\d:\d\d:\d\d))`,
    // The head of what log show of macOS prints.
    preamble: /^Timestamp {2,}\S/,
  },
  columns: ['thread'],
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
    { title: 'a line of a stack trace alone', in: '\tat org.example.Shop.sell(Shop.java:7)', fails: 'no date at the start' },
  ],
};

const LEVEL =
  '(?<level>TRACE|TRC|DEBUG|DBG|INFO|INF|INFORMATION|NOTICE|NOTE|WARN|WARNING|WRN|ERROR|ERR|EROR|SEVERE|CRIT|CRITICAL|FATAL|FTL|ALERT|EMERG|EMERGENCY|PANIC|FINE|FINER|FINEST|CONFIG|VERBOSE|VRB|SUCCESS|DEPRECATION|System)';
/** A word behind a time that may be the short name of a zone; `wordBehind` gives back the others. */
const ZONE_LIKE = '[ABCEHJKMNPSW][A-Z]{1,3}T|MSK';
const DATE = String.raw`(?<time>\d{4}[-/.]\d\d[-/.]\d\d(?:[T ]\d\d|  \d):\d\d:\d\d(?:[.,]\d{1,9}|:\d{6}(?!\d))?(?:${ZONE_BEHIND}| (?:${ZONE_LIKE})(?= ))?|\d\d[ -][A-Z][a-z]{2}[ -]\d{4} \d\d:\d\d:\d\d(?:[.,]\d{1,9})?)`;
const HEAD = String.raw`^\[?${DATE}\]?`;
const THREAD = String.raw`\[ {0,60}(?<thread>[^\]]*)\]`;
/** A class, module or path. It contains a point or two colons, so that it cannot be a word of the message. */
const LOGGER = String.raw`(?<logger>[\w$]+(?:(?:\.|::|/)[\w$-]+)+)`;
const MESSAGE = '(?<message>.*)$';

/** White space has its bounds, so that no record takes long. */
const LAYOUTS = [
  String.raw`^\[${DATE} ${LEVEL} {1,60}(?<logger>[\w:]+)\] ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${LEVEL} (?<process>\d+) --- (?:\[[^\]]*\] )*?${THREAD} (?<logger>\S+)\s{0,60}: ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${LEVEL} {1,60}${THREAD} ${LOGGER}(?: -|:)? ${MESSAGE}`,
  String.raw`${HEAD}\[${LEVEL} {0,9}\]\[(?<logger>[^\]]*?) {0,60}\] ?${MESSAGE}`,
  String.raw`${HEAD} (?<thread>\d+) \[${LEVEL}\] (?:\[(?<code>[A-Z]+-\d+)\] \[(?<logger>[\w-]+)\] )?${MESSAGE}`,
  String.raw`${HEAD} \[myid:[^\]]*\] - ${LEVEL} {1,60}\[(?<thread>[^\n]*?)\] - ${MESSAGE}`,
  String.raw`${HEAD} \[(?<process>\d+)\] \[${LEVEL}\] ${MESSAGE}`,
  String.raw`${HEAD} \{(?<source>[^}]*)\} ${LEVEL} - ${MESSAGE}`,
  String.raw`${HEAD} - (?<logger>\S+) - ${LEVEL} - ${MESSAGE}`,
  String.raw`${HEAD} - (?<source>[^\s[]+)\[${LEVEL}\]: ${MESSAGE}`,
  String.raw`${HEAD}:${LEVEL}:(?<logger>[\w.]+):${MESSAGE}`,
  String.raw`${HEAD} (?<logger>[\w.-]+)\s{1,60}\[(?<process>\d+)\]: ${LEVEL}\s{1,60}${MESSAGE}`,
  // log show of macOS.
  String.raw`${HEAD} (?<thread>0x[\da-f]+)\s{1,60}(?<level>Default|Info|Debug|Error|Fault)\s{1,60}0x[\da-f]+\s{1,60}(?<process>\d+)\s{1,60}\d+\s{1,60}(?<logger>[^\n:]{1,80}): ${MESSAGE}`,
  String.raw`${HEAD} (?<level>Df|Db|[IEF]) {1,2}(?<logger>[^[\n]{1,80})\[(?<process>\d+):(?<thread>[\da-f]+)\] ${MESSAGE}`,
  // Asterisk's levels that no other program has.
  String.raw`${HEAD} (?<level>SECURITY|DTMF)\[(?<process>\d+)\](?:\[(?<thread>C-[\da-f]+)\])? (?<logger>[\w.-]+\.c): ${MESSAGE}`,
  String.raw`${HEAD} (?<level>[DIWEF])\d?\s{1,60}(?:(?<logger>[A-Z_]+)|-)\s{1,60}${THREAD} ${MESSAGE}`,
  String.raw`^\[(?<process>\d+)\] \[?${DATE}\]?(?: \[${LEVEL}\])? ${MESSAGE}`,
  String.raw`${HEAD}\s{0,60}\|\s{0,60}${LEVEL}\s{0,60}\|\s{0,60}(?<source>[^\s|]+) - ${MESSAGE}`,
  // ActiveMQ: the words, the class and the thread, perhaps a stack trace.
  String.raw`${HEAD} \| ${LEVEL}\s{0,60}\| (?<message>\S+ [^\n]*?) \| (?<logger>[\w$]+(?:\.[\w$-]+){2,})\s{0,60}\| (?<thread>main|ActiveMQ [^|\n]{1,80}|[^|\n]{1,60}[# -]\d{1,9})(?<trace>\n.*)?$`,
  String.raw`${HEAD}\s{0,60}\|\s{0,60}${LEVEL}\s{0,60}\|\s{0,60}(?<thread>[^|]*?)\s{0,60}\|\s{0,60}(?<logger>[^|]*?)\s{0,60}\|\s{0,60}${MESSAGE}`,
  String.raw`${HEAD} \[(?<logger>[^\]]+)\] \[${LEVEL}\] ${MESSAGE}`,
  String.raw`^\[${DATE}\s{1,60}(?<thread>[\w.-]+)\s{1,60}${LEVEL}\s{1,60}(?<logger>[\w.$]+)(?:\s{1,60}[^\]]*)?\] ?(?:- )?${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${LEVEL}\s{1,60}(?<logger>[\w.$]+) \((?<source>[^)]*\(\d+\))\) - ${MESSAGE}`,
  String.raw`${HEAD} (?<logger>[\w-]+)\.${LEVEL}: ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${THREAD} ${LEVEL} {1,60}(?<logger>[\w.$/-]+)(?: -|:) ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}\[?${LEVEL} {0,9}\]?:?\s{1,60}${LOGGER}(?: -|:) ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${LEVEL} \((?<thread>[^)\n]{1,80})\) \[(?<logger>[^\]\n]{1,80})\] ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}(?<_open>\[?)${LEVEL}(?<_gap> {0,9}\]?:?(?:\s{1,60}-)?\s{1,60})${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${THREAD} ${LEVEL}:? ${MESSAGE}`,
  String.raw`^[A-Z], \[${DATE} #(?<process>\d+)\] {1,60}(?:${LEVEL}|ANY) -- (?<logger>[^:]*): ${MESSAGE}`,
  String.raw`^\[${DATE}: ${LEVEL}/(?<thread>[^\]]*)\] ${MESSAGE}`,
  String.raw`^${LEVEL} {1,60}${THREAD} ${DATE} (?<source>\S+:\d+) - ${MESSAGE}`,
  String.raw`^\[ ?${LEVEL} {1,9}${DATE} (?<thread>[\w.-]+)\]\s{1,60}${MESSAGE}`,
  String.raw`^${LEVEL}:${DATE}:(?:(?<logger>[\w.]+):)? ?${MESSAGE}`,
  String.raw`^\[?${LEVEL} {0,9}\]?:?\s{1,60}\[?${DATE}\]?(?: ${THREAD})?(?: ${LOGGER}(?: -|:))?(?: -|:)? ${MESSAGE}`,
  // VMware: ESXi's syslog, and hostd and vpxd of old.
  String.raw`${HEAD} (?<level>Db|In|No|Wa|Er|Cr|Al|Em)\(\d{1,3}\)(?:\[\+\])? (?:(?<logger>[^\s:[\]]+)(?:\[(?<process>\d+)\])?: )?${MESSAGE}`,
  String.raw`^\[?${DATE} \[?(?<thread>[\dA-F]{8,16}) (?<level>verbose|trivia|info|warning|error|panic) '(?<logger>[^'\n]{0,200})'[^\]\n]{0,200}\] ?${MESSAGE}`,
  String.raw`${HEAD}:?(?: -)?\s{1,60}${MESSAGE}`,
];

const VMWARE_LEVELS = { Db: 7, In: 6, No: 5, Wa: 4, Er: 3, Cr: 2, Al: 1, Em: 0, trivia: 7 };

const WORD_BEHIND = / ([A-Za-z]{2,5})$/;

const smallLevels = boolConfig('small_levels');
const header = new HeaderGroups({ smallLevels });
const decode = patternDecoder({
  patterns: LAYOUTS.map((layout) => new RegExp(layout, 'is')),
  levels: { System: 6, Default: 5, Fault: 2, Df: 5, SECURITY: 5, DTMF: 7, ...VMWARE_LEVELS },
  numbers: { event_id: '' },
  hosts: [],
  refusal: 'no date at the start',
  refine: ({ time = '', trace = '', _open = '', _gap = '', ...found }) => {
    const word = wordBehind(time);
    const groups = _open === '' && _gap === ' ' && !smallLevels ? withoutSentence(found) : found;
    const completed = header.completed(groups);
    const message = word.trimStart() + (word === '' ? '' : ' ') + (completed['message'] ?? '') + trace;
    return { ...completed, message, time: usualTime(time.slice(0, time.length - word.length)) };
  },
});

/** A program and its process, or a bracket, which is no word of a sentence. */
const BEHIND_LEVEL = /^(?:[\w./-]{1,64}\[\d|\[)/;

/** The groups of a record whose level is the first word of a sentence: `error budget 99.9 %`. Levels that nothing else marks are in capitals. */
function withoutSentence(groups: Groups): Groups {
  const { level = '', message = '', ...others } = groups;
  return level === level.toUpperCase() || BEHIND_LEVEL.test(message) ? groups : { ...others, message: `${level} ${message}` };
}

/** The word at the end of a time that only looks like a zone, with the blank in front of it: ` met`, ` START`. */
function wordBehind(time: string): string {
  const [word = '', zone = ''] = WORD_BEHIND.exec(time) ?? [];
  return zoneHours(zone) === undefined ? word : '';
}

/** Replaces points between year, month and day, and a blank before the hour. */
function usualTime(time: string): string {
  return time.replace(/^(\d{4})\.(\d\d)\./, '$1-$2-').replace(/^(\S+) {2}(?=\d:)/, '$1 0');
}

export function process_message(): ProcessStatus {
  return decode();
}
