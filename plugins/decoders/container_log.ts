/**
 * Decodes log files that container runtimes write: lines of the Container Runtime Interface, in /var/log/pods and /var/log/containers of a
 * Kubernetes node, `2021-03-05T13:07:59.250000000Z stdout F listening`, and JSON lines of Docker's driver json-file,
 * `{"log":"listening\n","stream":"stdout","time":"2021-03-05T13:07:59.25Z"}`.
 *
 * | Part | Becomes |
 * |---|---|
 * | time | Timestamp |
 * | stream: stdout, stderr | the field stream |
 * | what the container wrote, without its line end | Payload, or the whole line with payload_keep |
 * | the same when it is JSON, logfmt, a line of an access log or a record with a date in the form of a program's log | headers and fields, as the decoder of that form makes them; the time of the runtime is the field envelope_time when there is one of its own |
 * | a level at its beginning | Severity |
 * | pieces of a line, such as one that was too long for the runtime | one Payload, with the time of the first; when the last one is missing, the field partial is true |
 * | lines of a stack trace behind a line, of the same stream | further lines of its Payload |
 * | attrs of Docker | fields of their names |
 */
import { AnyDate } from '../modules/any_date.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { isObject, parseObject } from '../modules/json.ts';
import { severityInText } from '../lib/header/level_in_text.ts';
import { Envelope } from '../lib/envelope.ts';
import { AccessColumns, type AccessFormat } from '../lib/inner/access_columns.ts';
import { goesOn } from '../lib/inner/stack_trace.ts';
import { wrapped } from '../lib/wrapped.ts';
import { KEEP_LINE, KEEP_PREFIX, TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { injectWritten } from '../base/inject.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { WallClock } from '../modules/time_zone.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'container_log',
  kind: 'decoder',
  stateless: true,
  split: 'container',
  summary: 'Decodes logs of containers: of Kubernetes (CRI) and of Docker (json-file).',
  columns: ['stream'],
  recordSummary: PROGRAM_SUMMARY,
  looks: [
    { lines: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) [FP](?:[: ]|$)/ },
    { lines: [/^\{.*\}$/, /"log":\s*"/, /"stream":\s*"std(?:out|err)"/, /"time":\s*"\d{4}-\d\d-\d\dT/] },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    unwrap: UNWRAP,
    prefix_keep: KEEP_PREFIX,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'Kubernetes',
      in: '2021-03-05T13:07:59.250000001Z stderr F no connection',
      out: { Timestamp: '1614949679250000001', Payload: 'no connection', Fields: { stream: 'stderr' } },
    },
    {
      title: 'a line in pieces, and one of the other stream',
      in: '2021-03-05T13:07:59.25Z stdout P no conn\n2021-03-05T13:07:59.50Z stderr F WARN: slow\n2021-03-05T13:07:59.75Z stdout F ection',
      out: [
        { Timestamp: '1614949679500000000', Severity: 4, Payload: 'WARN: slow', Fields: { stream: 'stderr' } },
        { Timestamp: '1614949679250000000', Payload: 'no connection', Fields: { stream: 'stdout' } },
      ],
    },
    {
      title: 'a piece of a line',
      config: { type: 'pod' },
      in: '2021-03-05T14:07:59.250+01:00 stdout P {"a":"xxxx',
      out: { Timestamp: '1614949679250000000', Type: 'pod', Payload: '{"a":"xxxx', Fields: { stream: 'stdout', partial: true } },
    },
    {
      title: 'Docker',
      in: '{"log":"listening\\n","stream":"stdout","attrs":{"tag":"web"},"time":"2021-03-05T13:07:59.25Z"}',
      out: { Timestamp: '1614949679250000000', Payload: 'listening', Fields: { stream: 'stdout', tag: 'web' } },
    },
    {
      title: 'a level in what the container wrote',
      in: '{"log":"{\\"level\\":\\"error\\",\\"msg\\":\\"no\\"}\\n","stream":"stderr","time":"2021-03-05T13:07:59Z"}',
      out: { Timestamp: '1614949679000000000', Severity: 3, Payload: 'no', Fields: { stream: 'stderr' } },
    },
    {
      title: 'as it is',
      config: { unwrap: false },
      in: '2021-03-05T13:07:59.25Z stdout F level=warn msg=slow',
      out: { Timestamp: '1614949679250000000', Severity: 4, Payload: 'level=warn msg=slow', Fields: { stream: 'stdout' } },
    },
    { title: 'another JSON', in: '{"msg":"x"}', fails: 'neither a line of CRI nor of json-file' },
    { title: 'a day that there is not', in: '2021-13-05T13:07:59.25Z stdout F x', fails: 'no date that there is' },
  ],
};

const CRI = /^(?<time>\d{4}-\d\d-\d\dT\S+) (?<stream>stdout|stderr) (?<tag>[FP])(?::\S*)?(?: (?<words>.*))?$/s;
const LINE_END = /\r?\n$/;
const CARRIAGE_RETURN = /\r$/;

/** A time in UTC or with an offset that surely is one. */
const DAY = String.raw`20\d\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`;
const USUAL_TIME = String.raw`${DAY}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{1,9}(?:Z|[+-](?:0\d|1[0-2]):[0-5]\d)`;
const USUAL_CRI = new RegExp(`${USUAL_TIME} (?:stdout|stderr) F `, 'y');
const USUAL_DOCKER = new RegExp(String.raw`\\n","stream":"(?:stdout|stderr)","time":"${USUAL_TIME}"\}`, 'y');
const DOCKER = '{"log":"';
/** Characters of the name of a stream, and of what stands around it and the time. */
const [STREAM, BEHIND_TIME, BEHIND_DOCKER] = ['stdout'.length, ' stdout F '.length, '"}'.length];
const [BEFORE_STREAM, BEFORE_TIME] = ['\\n","stream":"'.length, 'stdout","time":"'.length];

const refusal: ProcessStatus = [-1, 'neither a line of CRI nor of json-file'];
const noTime: ProcessStatus = [-1, 'no date that there is'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const keepPrefix = boolConfig('prefix_keep');
const envelope = new Envelope();
const writer = new TableWriter();
const date = new AnyDate(() => 0, new WallClock('UTC'));
/** Lines of access logs as they are, and within a text of JSON. */
interface Access {
  readonly plain: AccessColumns;
  readonly quoted: AccessColumns;
}
const STREAM_COLUMNS: readonly WriterColumn[] = [{ name: 'stream', kind: 'slice' }];
const TIME_COLUMNS: readonly WriterColumn[] = [{ name: 'envelope_time', kind: 'slice' }];
const access: Access | null = envelope.opens
  ? { plain: new AccessColumns(STREAM_COLUMNS, TIME_COLUMNS), quoted: new AccessColumns(STREAM_COLUMNS, TIME_COLUMNS, '\\"') }
  : null;

/** A line, or what there is of it. */
interface Line {
  readonly time: string;
  readonly words: string;
  readonly partial: boolean;
  readonly stream: string;
  readonly fields: readonly LogField[];
  /** The time, the stream and the tag in front of the text in a line of CRI. */
  readonly prefix: string;
  readonly written: string;
}

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const record = text.slice(start, withoutLineEnd(text, start, end));
  if (!record.includes('\n')) return injectAccess(text, start, start + record.length) ?? inject(readLine(record));
  const lines = linesOf(record);
  if (lines === null) return refusal;
  for (const line of withTraces(lines)) {
    const status = inject(line);
    if (status !== 0) return status;
  }
  return 0;
}

/** The lines of a record, those in pieces joined, in the order of their ends; null: one is none of a container. */
function linesOf(record: string): Line[] | null {
  const lines: Line[] = [];
  const open = new Map<string, Line>();
  for (const written of record.split('\n')) {
    const line = readLine(written.replace(CARRIAGE_RETURN, ''));
    if (line === null) return null;
    const whole = joined(open.get(line.stream), line);
    if (line.partial) open.set(line.stream, whole);
    else {
      open.delete(line.stream);
      lines.push(whole);
    }
  }
  return [...lines, ...open.values()];
}

/** The lines with those of their stack traces. */
function withTraces(lines: readonly Line[]): Line[] {
  const records: Line[] = [];
  for (const [at, line] of lines.entries()) {
    const before = records.at(-1);
    const next = lines[at + 1];
    if (before === undefined || before.stream !== line.stream || !goesOn(before.words, line.words, next?.words)) records.push(line);
    else
      records[records.length - 1] = { ...before, words: `${before.words}\n${line.words}`, written: `${before.written}\n${line.written}` };
  }
  return records;
}

/** A line and the piece behind it. */
function joined(before: Line | undefined, line: Line): Line {
  if (before === undefined) return line;
  const { words, written, partial } = line;
  return { ...before, words: before.words + words, written: `${before.written}\n${written}`, partial };
}

function inject(line: Line | null): ProcessStatus {
  if (line === null) return refusal;
  const Timestamp = date.parse(line.time);
  if (Timestamp === null) return noTime;
  const fields = line.partial ? [...line.fields, { name: 'partial', value: true }] : line.fields;
  const message: LogMessage = { Timestamp, Payload: line.words, Fields: fields };
  const inner = line.partial ? null : envelope.open(line.words, Timestamp);
  const severity = inner === null ? severityInText(line.words, 0, line.words.length) : -1;
  const whole = inner === null ? message : wrapped(message, inner, { time: line.time });
  if (severity >= 0) whole.Severity = severity;
  if (keepPrefix && whole.Payload !== undefined) whole.Payload = line.prefix + whole.Payload;
  if (keepPayload) whole.Payload = line.written;
  if (type !== null) whole.Type = type;
  return writer.inject(whole);
}

/** Injects a line with one of an access log in it; null: it is no usual one. */
function injectAccess(text: string, start: number, end: number): ProcessStatus | null {
  if (access === null) return null;
  return text.startsWith(DOCKER, start) ? injectDockerAccess(access, text, start, end) : injectCriAccess(access, text, start, end);
}

function injectCriAccess({ plain }: Access, text: string, start: number, end: number): ProcessStatus | null {
  USUAL_CRI.lastIndex = start;
  if (!USUAL_CRI.test(text)) return null;
  const from = USUAL_CRI.lastIndex;
  const format = plain.formatAt(text, from);
  if (format === null || format.end !== end || !format.write(text, from)) return null;
  const timeEnd = from - BEHIND_TIME;
  return injectFormat(format, { start, end, stream: timeEnd + 1, time: start, timeEnd });
}

function injectDockerAccess({ quoted }: Access, text: string, start: number, end: number): ProcessStatus | null {
  const from = start + DOCKER.length;
  const format = quoted.formatAt(text, from);
  if (format === null) return null;
  USUAL_DOCKER.lastIndex = format.end;
  if (!USUAL_DOCKER.test(text) || USUAL_DOCKER.lastIndex !== end || !format.write(text, from)) return null;
  const stream = format.end + BEFORE_STREAM;
  return injectFormat(format, { start, end, stream, time: stream + BEFORE_TIME, timeEnd: end - BEHIND_DOCKER });
}

/** Places in a line. */
interface Places {
  readonly start: number;
  readonly end: number;
  readonly stream: number;
  readonly time: number;
  readonly timeEnd: number;
}

/** Injects the line of an access log that was written last. */
function injectFormat({ writer: columns, behind }: AccessFormat, { start, end, stream, time, timeEnd }: Places): ProcessStatus {
  columns.slice(0, stream, stream + STREAM);
  columns.slice(behind, time, timeEnd);
  if (keepPayload) columns.payloadSlice(start, end);
  if (type !== null) columns.type(type);
  return injectWritten(columns);
}

const readLine = (written: string): Line | null => (written.startsWith('{') ? readDocker(written) : readCri(written));

function readCri(written: string): Line | null {
  const groups = CRI.exec(written)?.groups;
  if (groups === undefined) return null;
  const { time = '', stream = '', tag, words = '' } = groups;
  return {
    time,
    words,
    partial: tag === 'P',
    stream,
    fields: [{ name: 'stream', value: stream }],
    prefix: written.slice(0, written.length - words.length),
    written,
  };
}

function readDocker(written: string): Line | null {
  const { log, stream, time, attrs = null } = parseObject(written) ?? {};
  if (typeof log !== 'string' || typeof time !== 'string') return null;
  const of = typeof stream === 'string' ? stream : '';
  const fields: LogField[] = of === '' ? [] : [{ name: 'stream', value: of }];
  if (isObject(attrs)) {
    for (const [name, value] of Object.entries(attrs)) if (typeof value === 'string') fields.push({ name, value });
  }
  return { time, words: log.replace(LINE_END, ''), partial: !LINE_END.test(log), stream: of, fields, prefix: '', written };
}
