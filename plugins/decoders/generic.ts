/**
 * Decodes any log, for those that no other decoder knows: finds a time in any usual shape near the beginning of each line, and the level, process,
 * thread, component and place in the source around it. Lines without such a beginning, such as a stack trace, belong to the record before
 * them. Lines that are JSON objects are read as json_lines does. Escape sequences for colours are removed.
 *
 * | Part | Becomes |
 * |---|---|
 * | time: numbers or names of months in several languages, with or without a year and a zone; seconds to nanoseconds since 1970; TAI64N | Timestamp |
 * | level: a word in any case, a letter, `level=`, in brackets of any kind | Severity |
 * | component: a class, module or program, or the container of `docker compose logs` | Logger |
 * | machine, where a program and its process follow | Hostname |
 * | process | Pid |
 * | thread, file and line, container, syslog's facility, what else stands in front of the time | the fields thread, source, container, facility and context |
 * | number of the event of .NET's console, seconds since the start of logrus | the fields event_id and uptime (`s`) |
 * | pairs behind the words, as zerolog, logrus and geth write them, and zap's object | fields of their names |
 * | the rest, with the lines that follow | Payload, or the whole record with payload_keep |
 *
 * Times without a zone are in that of tz. A date without a year is the latest that is no more than a day after the record was written, a time without
 * a date one of the 24 hours before it. A record without a time has the field undated, which is true: in a file it takes the time of
 * the record before it, at the beginning that of the first record with one.
 */
import { withoutLineEnd } from '../base/scan.ts';
import { AnyRecord } from '../lib/any_record.ts';

import { COLOURS, ESCAPE } from '../lib/colours.ts';
import { AccessTexts } from '../lib/inner/access_texts.ts';
import { PairTexts } from '../lib/inner/pair_texts.ts';
import { JsonRecord } from '../lib/json/json_record.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { TableWriter } from '../modules/table_writer.ts';
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { TIME_START } from '../base/time/time_shapes.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

const COLOUR = String.raw`(?:\x1b\[[\d;]*m)*`;
const WHOLE_CLOCK = String.raw`[0-2]?\d[:.][0-5]\d[:.][0-5]\d`;
const ENGLISH = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
/** Consul, Vault and Nomad indent all of their lines on a terminal. */
const INDENTED = String.raw` {4}\d{4}[/-]\d\d[/-]\d\d[ T]${WHOLE_CLOCK}(?:\.\d{3,6})?(?:Z|[+-]\d\d:?\d\d)? \[[A-Z]{3,8}\] `;
/** LXC fills the name of its program up to fifteen characters. */
const LXC = String.raw` {1,14}[\w./-]{1,60} (?:19|20)\d{12}\.\d{3} [A-Z]{4,8} `;
/** Lines of Python's rich without a time: that of the line above counts. */
const RICH = String.raw` {10,30}(?:DEBUG {4}|INFO {5}|WARNING {2}|ERROR {4}|CRITICAL )\S`;
const DATED = String.raw`${COLOUR}(?:type=\w+ msg=audit\(|(?:[^\s"]+[ \t]+){0,5}(?:[^\s"]*[^\s\w"])?"?|[^\s][^\n]{0,120}(?:\[|at |on )| {0,6}\d+:)${TIME_START}|${INDENTED}|${LXC}|${COLOUR}(?:\[\w+\] |\[[IWEDC] |\[pid +\d{1,7}\] |\d{1,7} {1,4}|T:\d{6,15}\(|[\[(])?[0-2]\d:[0-5]\d:[0-5]\d|${RICH}|#\+?[12]\d{9}|${COLOUR}\[?\d?\d:\d\d[AP]M| \d (?:${ENGLISH}) ${WHOLE_CLOCK} | \d[月월] {1,2}\d`;
const NPM = 'info|verbose|silly|warn|error|http|timing|notice';
const LEVELS = 'TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|FATAL|ALERT|PANIC';
/** Levels of logrus on a terminal, all of four letters. */
const FOUR_LETTERS = 'ERRO|DEBU|TRAC|FATA|PANI';
/** Spelt out: in a process with much compiled code, V8 forgets that `(?i:…)` ignores cases. */
const ANY_LEVELS =
  '[Tt][Rr][Aa][Cc][Ee]|[Dd][Ee][Bb][Uu][Gg]|[Ii][Nn][Ff][Oo]|[Nn][Oo][Tt][Ii][Cc][Ee]|[Ww][Aa][Rr][Nn]|[Ww][Aa][Rr][Nn][Ii][Nn][Gg]|[Ee][Rr][Rr][Oo][Rr]|[Ss][Ee][Vv][Ee][Rr][Ee]|[Cc][Rr][Ii][Tt][Ii][Cc][Aa][Ll]|[Ff][Aa][Tt][Aa][Ll]|[Aa][Ll][Ee][Rr][Tt]|[Pp][Aa][Nn][Ii][Cc]';
const SHORT_LEVELS = 'ERR|WRN|INF|DBG|FTL|CRT|TRC|VRB';
/** NVIDIA's NCCL: machine, process and thread, the number of the device, and the level. */
const NCCL = String.raw`[\w.-]{1,64}:\d{1,10}:\d{1,10} \[\d{1,4}\] NCCL (?:${LEVELS}) `;
const LEVELLED = String.raw`${COLOUR}(?:${NCCL}|\[(?:${SHORT_LEVELS})\] |(?:${LEVELS})[: \t|[]|(?:${FOUR_LETTERS})\[\d{4}|\[ ?(?:${ANY_LEVELS})(?: {1,2}\w+(?:::\w+)*)? ?\]|(?:info|warn|fail|crit|dbug|trce|[Ee]rror|[Ww]arning|debug|fatal)(?:\[\w+\])?: |level=|\d{1,6}\.\d\d\.\d{3}\.\d{3} [DIWE] |\d{1,6}[ \t]+(?:\[[^\]\n]{1,60}\] )?(?:${LEVELS}|${NPM}) |\[ *\d+\.\d{3,6}\]|\[\d+[.,]\d{3}s\]\[(?:${ANY_LEVELS}) *\])`;
const STACK_TRACE = String.raw`(?:^|\n)(?:Traceback \(most recent call last\):|[ \t]+at [\w$./<>]{1,200}\()`;
const OF_CONTAINER = String.raw`${COLOUR}[A-Za-z][\w.-]* +\| `;

const MQ = String.raw`(?:^|\n)\d\d?[./-]\d\d?[./-]\d{4} \d\d?:\d\d:\d\d(?: [AP]M)? - Process\(\d+\.\d+\) User\(`;

export const meta: PluginMeta = {
  name: 'generic',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes any log: a time, a level and a component in each line, wherever they stand.',
  split: {
    by: 'records',
    cases: { dated: { before: String.raw`${DATED}|\{"` }, levelled: { before: String.raw`${LEVELLED}|${DATED}|\{"` }, lines: 'line' },
  },
  columns: ['thread', 'container', 'source'],
  recordSummary: PROGRAM_SUMMARY,
  looks: [
    {
      // A day that is no month tells how the others are meant.
      text: /(?:^|\n)[^\s\w]?(?:1[3-9]|2\d|3[01])\/\d\d?\/\d{4}[ ,T]/,
      lines: `^(?:${DATED})`,
      least: 0.2,
      config: { date_order: 'dmy' },
      rank: 9,
    },
    {
      text: /(?:^|\n)[^\s\w]?[01]\d-(?:1[3-9]|2\d|3[01])-\d{4}[ ,T]/,
      lines: `^(?:${DATED})`,
      least: 0.2,
      config: { date_order: 'mdy' },
      rank: 9,
    },
    // Each line begins with a level, and only some have a time.
    { lines: `^(?:${LEVELLED})`, least: 0.95, fewest: 2, config: { records: 'levelled' }, rank: 9 },
    { lines: `^(?:${DATED})`, least: 0.2, rank: 9 },
    // Splunk's dumps of Windows events: a line for each of the names below the time.
    { text: /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d [AP]M\r?\nLogName=/, rank: 9 },
    // IBM MQ: a dozen lines between two times.
    { text: [MQ, /(?:^|\n)(?:1[3-9]|2\d|3[01])\/\d\d?\/\d{4} /], config: { date_order: 'dmy' }, rank: 9 },
    { text: MQ, rank: 9 },
    // Output of apt's packages: hundreds of lines between two times.
    { text: /^\s*Log started: \d{4}-\d\d-\d\d {1,2}\d\d:\d\d:\d\d\n/, rank: 9 },
    { lines: `^(?:${LEVELLED})`, fewest: 2, config: { records: 'levelled' }, rank: 9 },
    // Stack traces of Python and Java may have more lines than the log.
    { text: STACK_TRACE, lines: `^(?:${LEVELLED})`, least: 0.05, fewest: 2, config: { records: 'levelled' }, rank: 9 },
    { lines: `^${OF_CONTAINER}`, least: 0.95, fewest: 2, config: { records: 'lines' }, rank: 9 },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    date_order: {
      type: 'string',
      summary:
        'The order of day and month in dates such as 3/5/2021: dmy, mdy, ymd, or auto, which takes dates with slashes as American and with points as European.',
      default: 'auto',
      values: ['auto', 'dmy', 'mdy', 'ymd'],
    },
    records: {
      type: 'string',
      summary: 'Where records begin: dated, at lines with a time; levelled, at those with a level as well; lines, at each.',
      default: 'dated',
      values: ['dated', 'levelled', 'lines'],
    },
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'Windows CBS',
      in: '2016-09-28 04:30:31, Info                  CBS    SQM: Initializing online with Windows opt-in: False',
      out: {
        Timestamp: '1475037031000000000',
        Severity: 6,
        Logger: 'CBS',
        Payload: 'SQM: Initializing online with Windows opt-in: False',
        Fields: {},
      },
    },
    {
      title: 'a name in front, and a stack trace behind',
      config: { type: 'app', tz: '+01:00' },
      in: 'web-1  | 05.03.2021 14:07:59,250 [worker-3] ERROR shop.Checkout: no connection\nweb-1  |     at shop.Checkout.pay(Checkout.java:7)',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'app',
        Severity: 3,
        Logger: 'shop.Checkout',
        Payload: 'no connection\nweb-1  |     at shop.Checkout.pay(Checkout.java:7)',
        Fields: { container: 'web-1', thread: 'worker-3' },
      },
    },
    {
      title: 'the month in another language, without a year',
      in: { Payload: '[ 5. März 13:07:59.250 ] <warning> slow', Timestamp: '1614949800000000000' },
      out: { Timestamp: '1614949679250000000', Severity: 4, Payload: 'slow', Fields: {} },
    },
    {
      title: 'TAI64N',
      in: '@40000000604225b90ee6b280 starting',
      out: { Timestamp: '1614947759250000000', Payload: 'starting', Fields: {} },
    },
    {
      title: 'a line of JSON among others',
      in: '{"ts":1614949679.25,"level":"warn","logger":"cart","msg":"slow","n":2}',
      out: { Timestamp: '1614949679250000000', Severity: 4, Logger: 'cart', Payload: 'slow', Fields: { n: 2 } },
    },
    {
      title: 'pairs behind the words, as loggers write them on a console',
      in: {
        Payload: 'INFO[2021-03-05T13:07:59Z] cart opened                                   cart=7 shop="x y"',
        Timestamp: '1614949800000000000',
      },
      out: { Timestamp: '1614949679000000000', Severity: 6, Payload: 'cart opened', Fields: { cart: 7, shop: 'x y' } },
    },
    {
      title: 'a line without a time',
      in: { Payload: 'ERROR: no such file', Timestamp: '1614949800000000000' },
      out: { Timestamp: '1614949800000000000', Severity: 3, Payload: 'no such file', Fields: { undated: true } },
    },
    { title: 'blanks', in: '   ', fails: 'nothing but white space' },
  ],
};

/** Where logs were put together, it stands in the middle. */
const BYTE_ORDER_MARK = 0xfeff;
const empty: ProcessStatus = [-1, 'nothing but white space'];
const record = new AnyRecord();
const json = new JsonRecord();
const pairs = new PairTexts();
const access = new AccessTexts();
/** The client, who it is, and the date. */
const ACCESS = /^(?:[\w.:-]+|\[[\da-f:.]+\]) \S+ [^[\n]{1,120}\[\d\d\//;
const writer = new TableWriter();
const type = stringConfig('type', null);
const keepRecord = boolConfig('payload_keep');

export function process_message(): ProcessStatus {
  const { text, start: at, end } = payload_span();
  const start = text.charCodeAt(at) === BYTE_ORDER_MARK ? at + 1 : at;
  const to = withoutLineEnd(text, start, end);
  const written = text.slice(start, to);
  if (written.trim() === '') return empty;
  const isColoured = written.includes(ESCAPE);
  const plain = isColoured ? written.replace(COLOURS, '') : written;
  const known = pairs.read(plain) ?? (ACCESS.test(plain) ? access.read(plain) : null);
  if (known?.Timestamp !== undefined) {
    if (type !== null) known.Type = type;
    if (keepRecord) known.Payload = written;
    return writer.inject(known);
  }
  record.begin(plain);
  return json.read(plain, record) ? json.inject(text, start, to) : record.inject(plain, isColoured ? -1 : start, written);
}
