/**
 * Decodes logs of several containers that a tool prints with their names in front of the lines: `docker compose logs`, `docker service logs`, `kubectl logs
 * --prefix`, stern, PM2, Heroku and Loki's logcli, also with the times that they write on request (`--timestamps`), and `docker logs --timestamps`, which writes times alone.
 *
 * | Part | Becomes |
 * |---|---|
 * | `web-1  \| ` of compose, `web.1.k3x@node2    \| ` of a service | the fields container, and node |
 * | `[pod/web-7cfd/nginx] ` of kubectl | the fields pod and container |
 * | `web-7cfd8b6c9d-x2x4k nginx `, `shop web-7cfd8b6c9d-x2x4k nginx ` of stern | the fields namespace, pod and container |
 * | `0\|web  \| ` of PM2 | the fields pm_id and container |
 * | `heroku[router]: `, `app[web.1]: ` of Heroku, behind the time | the fields source and dyno |
 * | `{app="shop"} ` of Loki's logcli, behind the time | fields of these names |
 * | the tool's time | Timestamp, or the field envelope_time when what the container wrote has one of its own |
 * | what the container wrote, with the lines of the same container behind it that go on with it, such as a stack trace | Payload |
 * | the same when it is JSON, logfmt, a line of an access log or a record with a date in the form of a program's log | headers and fields, as the decoder of that form makes them |
 * | a level at its beginning | Severity |
 * | the container | Logger as well, when what it wrote has none |
 *
 * Colours are removed. A text without a time has the field undated. stern's lines `+ pod › container` are passed on undecoded.
 */
import { AnyDate } from '../modules/any_date.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { WallClock } from '../modules/time_zone.ts';
import { injectWritten } from '../base/inject.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { COLOURS, ESCAPE } from '../lib/colours.ts';
import { Envelope } from '../lib/envelope.ts';
import { severityInText } from '../lib/header/level_in_text.ts';
import { AccessColumns } from '../lib/inner/access_columns.ts';
import { goesOn } from '../lib/inner/stack_trace.ts';
import { linePrefix, type LinePrefix } from '../lib/inner/line_prefix.ts';
import { KEEP_PREFIX, KEEP_RECORD, TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { wrapped } from '../lib/wrapped.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

const COLOUR = String.raw`(?:\x1b\[[\d;]*m)*`;
/** Names that compose numbers, and those of tasks of a service. */
const NUMBERED = String.raw`[A-Za-z\d][\w.-]*(?:[-_]\d{1,4}|\.\d{1,4}\.[a-z\d]{12,25}@[\w.-]{1,60})`;
const POD = String.raw`[a-z](?:[a-z\d.-]{0,200}[a-z\d])?-(?:[a-z\d]{5}|\d{1,4})`;
const KUBECTL = String.raw`\[pod/[\w.-]+/[\w.-]+\] `;
const STERN = String.raw`(?:[a-z\d-]{1,63} )?${POD} [a-z][a-z\d-]{0,62} `;
const COMPOSE = String.raw`[A-Za-z\d][\w.@-]* {0,80}\| `;
/** Lines that begin a record: others may go on with that of their container. */
const BEGINNING = String.raw`(?:[^\s\x1bA-Za-z.)}#]|#\D|[A-Z\d]{2}|[ABD-RU-Za-z][\w-]*[ ,!?=\[(]|S(?:[^t]|t[^a])[\w-]*[ ,!?=\[(]|C[^a]|T(?:[^ry]|y[^p]|yp[^e]|ype[^E]))`;
const PREFIX = `${COLOUR}(?:${KUBECTL}|${STERN}|${COMPOSE})`;
const COMPOSED = String.raw`^${NUMBERED} {0,80}\|(?: |$)`;
const STERNED = String.raw`^(?:${STERN}|[+-] (?:[a-z\d-]+ )?${POD} › )`;
const RFC3339 = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)`;
/** A line that goes on with the one before it, as those of stack traces do. */
const FURTHER = String.raw`\n(?:${PREFIX})${COLOUR}(?:${RFC3339} )?${COLOUR}(?:[ \t]+(?:at |File "|\S)|Traceback \(most recent|Caused by: )`;
const LEVEL = '(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|STATUS|ADVICE|trace|debug|info|notice|warn|warning|error|fatal)';

export const meta: PluginMeta = {
  name: 'prefixed_log',
  kind: 'decoder',
  comments: true,
  stateless: true,
  summary: 'Decodes logs with names of containers in front: docker compose, kubectl logs --prefix, stern, PM2, Heroku, logcli.',
  split: { by: 'records', cases: { lines: 'line', joined: { before: `(?:${PREFIX})${COLOUR}(?:${RFC3339} )?${COLOUR}${BEGINNING}` } } },
  columns: ['container', 'pod', 'namespace', 'node'],
  recordSummary: PROGRAM_SUMMARY,
  looks: [
    { text: FURTHER, lines: `^(?:${KUBECTL})`, least: 0.95, config: { records: 'joined' }, rank: 2 },
    { text: FURTHER, lines: COMPOSED, not: `^${LEVEL}`, least: 0.95, config: { records: 'joined' }, rank: 2 },
    { text: FURTHER, lines: STERNED, least: 0.95, fewest: 2, config: { records: 'joined' }, rank: 2 },
    { lines: `^(?:${KUBECTL})`, least: 0.95, rank: 2 },
    { lines: COMPOSED, not: `^${LEVEL}`, least: 0.95, rank: 2 },
    { lines: STERNED, least: 0.95, fewest: 2, rank: 2 },
    // Names that are set by the user; a second bar makes a table of the line.
    { lines: String.raw`^[A-Za-z][\w.-]* +\| `, not: `^(?:${LEVEL}|[^|]*\\|.* \\| )`, least: 0.95, fewest: 2, rank: 8 },
    // PM2.
    { lines: String.raw`^(?:\d{1,5}\|[A-Za-z\d@][\w.@/-]* *|PM2 +)\| `, least: 0.95, fewest: 2, rank: 2 },
    { lines: String.raw`^\d{1,5}\|[A-Za-z\d@][\w.@/-]* *\| \{"`, least: 0.95, rank: 2 },
    // Heroku's logs, logcli's output and Grafana's exports.
    { lines: String.raw`^${RFC3339} (?:app|heroku)\[[\w.-]{1,60}\]: `, least: 0.95, rank: 2 },
    { lines: String.raw`^${RFC3339} \{(?:[A-Za-z_]\w*="[^"]*"(?:, ?)?)*\} `, least: 0.95, rank: 2 },
    { lines: String.raw`^\d{13}\t${RFC3339}\t`, least: 0.8, rank: 2 },
    // docker logs --timestamps and kubectl logs --timestamps.
    {
      lines: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(?:Z|[+-]\d\d:\d\d) (?:\{"|(?:time|ts|level|lvl|msg)=|[IWEF]\d{4} \d\d:\d\d|[\da-f.:]{3,45} - |\d{4}[-/]\d\d[-/]\d\d[T ]|\[?\d\d\d?\d?[-/:])`,
      rank: 2,
    },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    records: {
      type: 'string',
      summary:
        'What a record is: lines, each line; joined, a line with those behind it that begin with white space or belong to a stack trace.',
      default: 'lines',
      values: ['lines', 'joined'],
    },
    unwrap: UNWRAP,
    prefix_keep: KEEP_PREFIX,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'docker compose, with a stack trace',
      in: {
        Payload: 'web-1  | 2021-03-05 13:07:59,250 ERROR shop.db - no connection\nweb-1  |   at shop.Db.open(Db.java:7)',
        Timestamp: '1614949680000000000',
      },
      out: {
        Timestamp: '1614949679250000000',
        Severity: 3,
        Logger: 'shop.db',
        Payload: 'no connection\n  at shop.Db.open(Db.java:7)',
        Fields: { container: 'web-1' },
      },
    },
    {
      title: 'kubectl logs --prefix --timestamps',
      config: { type: 'pods' },
      in: '[pod/api-7cfd/api] 2021-03-05T13:07:59.250000001Z {"level":"error","msg":"no","tries":3}',
      out: {
        Timestamp: '1614949679250000001',
        Type: 'pods',
        Logger: 'api',
        Severity: 3,
        Payload: 'no',
        Fields: { pod: 'api-7cfd', container: 'api', tries: 3 },
      },
    },
    {
      title: 'stern, with the names kept',
      config: { prefix_keep: true },
      in: 'shop web-7cfd8b6c9d-x2x4k nginx WARN: slow\nshop web-7cfd8b6c9d-x2x4k nginx level=error msg=no',
      out: [
        {
          Severity: 4,
          Logger: 'nginx',
          Payload: 'shop web-7cfd8b6c9d-x2x4k nginx WARN: slow',
          Fields: { namespace: 'shop', pod: 'web-7cfd8b6c9d-x2x4k', container: 'nginx', undated: true },
        },
        {
          Severity: 3,
          Logger: 'nginx',
          Payload: 'shop web-7cfd8b6c9d-x2x4k nginx no',
          Fields: { namespace: 'shop', pod: 'web-7cfd8b6c9d-x2x4k', container: 'nginx', undated: true },
        },
      ],
    },
    {
      title: "Heroku's router",
      in: '2021-03-05T13:07:59.250123+00:00 heroku[router]: at=error code=H12 desc="Request timeout" path="/pay" dyno=web.1 status=503',
      out: {
        Timestamp: '1614949679250123000',
        Severity: 3,
        Logger: 'router',
        Fields: {
          source: 'heroku',
          envelope_dyno: 'router',
          code: 'H12',
          desc: 'Request timeout',
          path: '/pay',
          dyno: 'web.1',
          status: 503,
        },
      },
    },
    {
      title: 'PM2',
      in: '0|shop     | {"level":50,"time":1614949679250,"msg":"no"}',
      out: { Timestamp: '1614949679250000000', Severity: 3, Logger: 'shop', Payload: 'no', Fields: { pm_id: '0', container: 'shop' } },
    },
    { title: 'no name', in: 'Server started on port 80', fails: 'no name in front of the text' },
  ],
};

/** The time that a tool writes in front of a text. */
const TIME = /^(?:\d{13}\t)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))[ \t]/;
/** What stands behind the time: the source and the dyno of Heroku, and the labels of logcli. */
const DYNO = /^(app|heroku)\[([\w.-]{1,60})\]: /;
const LABELS = /^\{((?:[A-Za-z_]\w*="(?:[^"\\]|\\.)*"(?:, ?(?=[A-Za-z_]))?)*)\} {1,40}/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;
/** stern tells containers that come and go. */
const NEWS = /^[+-] (?:\S+ )?\S+ › \S+$/;
const CARRIAGE_RETURN = /\r$/;
const UNDATED: LogField = { name: 'undated', value: true };

const refusal: ProcessStatus = [-1, 'no name in front of the text'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const keepPrefix = boolConfig('prefix_keep');
const envelope = new Envelope();
const writer = new TableWriter();
const date = new AnyDate(() => 0, new WallClock('UTC'));

const NAMES: readonly string[] = ['namespace', 'pod', 'container', 'node'];
const access = envelope.opens
  ? new AccessColumns(
      NAMES.map((name) => ({ name, kind: 'text' })),
      [],
    )
  : null;

/** A text of a container, in one or several lines. */
interface Text {
  readonly prefix: LinePrefix;
  readonly written: string[];
  words: string;
}

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const written = text.slice(start, withoutLineEnd(text, start, end));
  const status = access === null ? null : injectAccess(access, written, text, start);
  if (status !== null) return status;
  const texts = textsOf(written);
  if (texts === null) return refusal;
  for (const one of texts) {
    const status = inject(one);
    if (status !== 0) return status;
  }
  return 0;
}

/** Injects a line of an access log behind a name; null: it is no usual one. */
function injectAccess(lines: AccessColumns, written: string, text: string, start: number): ProcessStatus | null {
  const prefix = linePrefix(written);
  if (prefix === null) return null;
  const from = start + prefix.length;
  const format = lines.formatAt(text, from);
  if (format === null || format.end !== start + written.length || !format.write(text, from)) return null;
  const { writer: columns } = format;
  for (const { name, value } of prefix.fields) columns.text(NAMES.indexOf(name), String(value));
  if (prefix.container !== undefined) columns.logger(prefix.container);
  if (keepPayload) columns.payloadSlice(start, format.end);
  if (type !== null) columns.type(type);
  return injectWritten(columns);
}

/** The texts of a record, whose lines may be those of several containers; null: a line has no name. */
function textsOf(written: string): Text[] | null {
  const texts: Text[] = [];
  const last = new Map<string, Text>();
  const lines = written.split('\n');
  for (const [at, line] of lines.entries()) {
    const plain = plainLine(line);
    if (NEWS.test(plain) || (plain === '' && texts.length > 0)) continue;
    const prefix = linePrefix(plain);
    if (prefix === null) return null;
    const words = plain.slice(prefix.length);
    const before = last.get(prefix.text);
    const further = before === undefined ? null : words.slice(TIME.exec(words)?.[0].length ?? 0);
    if (before !== undefined && further !== null && goesOn(before.words, further, wordsBehind(prefix, lines[at + 1]))) {
      before.words += `\n${further}`;
      before.written.push(line);
      continue;
    }
    const begun: Text = { prefix, written: [line], words };
    texts.push(begun);
    last.set(prefix.text, begun);
  }
  return texts;
}

const plainLine = (line: string): string => (line.includes(ESCAPE) ? line.replace(COLOURS, '') : line).replace(CARRIAGE_RETURN, '');

/** The text of the next line of the same container; undefined: it is of another one. */
function wordsBehind(prefix: LinePrefix, line: string | undefined): string | undefined {
  const plain = line === undefined ? '' : plainLine(line);
  if (line === undefined || !plain.startsWith(prefix.text)) return undefined;
  const words = plain.slice(prefix.length);
  return words.slice(TIME.exec(words)?.[0].length ?? 0);
}

function inject({ prefix, written, words }: Text): ProcessStatus {
  const [times = '', time] = TIME.exec(words) ?? [];
  const ns = time === undefined ? null : date.parse(time);
  const source = time === undefined ? null : sourceOf(words.slice(times.length));
  const head = times + (source?.head ?? '');
  const message: LogMessage = {
    Payload: words.slice(head.length),
    Fields: source === null ? prefix.fields : [...prefix.fields, ...source.fields],
  };
  if (source?.logger !== undefined) message.Logger = source.logger;
  if (ns !== null) message.Timestamp = ns;
  const inner = open(words, head.length, message, time);
  const whole = inner ?? message;
  if (inner === null) {
    const severity = severityInText(words, head.length, words.length);
    if (severity >= 0) whole.Severity = severity;
  }
  if (whole.Timestamp === undefined) whole.Fields = [...(whole.Fields ?? []), UNDATED];
  if (keepPrefix && whole.Payload !== undefined) whole.Payload = prefix.text + (inner === null ? head : '') + whole.Payload;
  if (keepPayload) whole.Payload = written.join('\n');
  if (type !== null) whole.Type = type;
  if (prefix.container !== undefined) whole.Logger ??= prefix.container;
  return writer.inject(whole);
}

/** What a platform tells of a text between its time and the words. */
interface Source {
  readonly head: string;
  readonly fields: readonly LogField[];
  readonly logger: string | undefined;
}

/** The source of a text; null: none is told. */
function sourceOf(words: string): Source | null {
  const [of, source = '', dyno = ''] = DYNO.exec(words) ?? [];
  if (of !== undefined)
    return {
      head: of,
      fields: [
        { name: 'source', value: source },
        { name: 'dyno', value: dyno },
      ],
      logger: dyno,
    };
  const [head, labels] = words.startsWith('{') ? (LABELS.exec(words) ?? []) : [];
  if (head === undefined || labels === undefined) return null;
  const fields = [...labels.matchAll(LABEL)].map(([, name = '', value = '']) => ({ name, value: value.replaceAll(/\\(.)/g, '$1') }));
  return { head, fields, logger: undefined };
}

/** The record that a text is, behind the time of the tool, or with it: then it is the program's. null: it is words. */
function open(words: string, from: number, message: LogMessage, written: string | undefined): LogMessage | null {
  const time = message.Timestamp;
  const behind = envelope.open(from === 0 ? words : words.slice(from), time);
  if (behind !== null) return wrapped(message, behind, written === undefined ? {} : { time: written });
  const whole = written === undefined || from > written.length + 1 ? null : envelope.open(words, time);
  return whole === null ? null : wrapped({ Fields: message.Fields ?? [] }, whole);
}
