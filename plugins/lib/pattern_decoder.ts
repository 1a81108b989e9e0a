/** Common part of the decoders of records with one or a few fixed forms. */
import { AnyDate } from '../modules/any_date.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { COLOURS, ESCAPE } from './colours.ts';
import type { Envelope } from './envelope.ts';
import { fieldMaker, type FieldMaker, type RuleFields } from './rules/message_rules.ts';
import { firstMatch, type Groups } from './grok/named_groups.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { PINO, SeverityScale } from './header/severity.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { wrapped } from './wrapped.ts';

export type { Groups };

/**
 * The forms of a record. Named groups become fields of their names, except those that become headers (time, level, message, hostname, logger and
 * process) and those whose names begin with an underscore. An empty group, and a `-`, sets no field. Colours, as terminals show them, are taken out first.
 */
export interface RecordForms extends RuleFields {
  /** The first that fits the record counts. */
  readonly patterns: readonly RegExp[];
  /** Severities of levels that are not the usual words. A level without a severity becomes the field level. */
  readonly levels?: Readonly<Record<string, number>>;
  /** The reason for refusing a record that has none of the forms. */
  readonly refusal: string;
  /** Normalises groups before they are used, such as times into a form that `AnyDate` reads. */
  readonly refine?: (groups: Groups) => Groups;
  /** Further fields. */
  readonly further?: (groups: Groups) => readonly LogField[];
}

const HEADERS = new Set(['time', 'level', 'message', 'hostname', 'logger', 'process']);
/** Where logs were put together, it stands in the middle. */
const BYTE_ORDER_MARK = 0xfeff;
const PROCESS = /^\d{1,10}$/;
const MAX_PID = 2_147_483_647;

/**
 * Makes the `process_message` of a decoder of such records, controlled by the parameters type, tz and payload_keep.
 * @param open takes apart a message that is a record of its own; null: it is words
 */
export function patternDecoder(forms: RecordForms, open: Envelope['open'] | null = null): () => ProcessStatus {
  const type = stringConfig('type', null);
  const keepPayload = boolConfig('payload_keep');
  const read = patternReader(forms, () => read_message('Timestamp') ?? 0);
  const writer = new TableWriter();
  const refusal: ProcessStatus = [-1, forms.refusal];
  const noTime: ProcessStatus = [-1, 'no date that there is'];

  return () => {
    const { text, start, end } = payload_span();
    const from = text.charCodeAt(start) === BYTE_ORDER_MARK ? start + 1 : start;
    const written = text.slice(from, withoutLineEnd(text, from, end));
    const outer = read(written);
    if (outer === null) return refusal;
    if (outer === NO_TIME) return noTime;
    const inner = open === null || outer.Payload === undefined ? null : open(outer.Payload, outer.Timestamp);
    const message = inner === null ? outer : wrapped(outer, inner);
    if (keepPayload) message.Payload = written;
    if (type !== null) message.Type = type;
    return writer.inject(message);
  };
}

/** A record that has one of the forms, but a date that there is not. */
export const NO_TIME = 'no time';

/** Reads the message of a record, without its line end; null: it has none of the forms. */
type RecordReader = (written: string) => LogMessage | null | typeof NO_TIME;

/**
 * Makes a reader of such records, whose times are in the zone of the parameter tz. To be called at load.
 * @param now when the record was read, in nanoseconds since 1970, for dates without a year
 */
export function patternReader(forms: RecordForms, now: () => number): RecordReader {
  const date = new AnyDate(now, configuredClock());
  const scale = new SeverityScale(PINO);
  const levels = new Map(Object.entries(forms.levels ?? {}));
  const severityOf = (level: string): number => levels.get(level) ?? scale.severityOf(level);
  const match = firstMatch(forms.patterns);
  const isField = fieldNames();
  const fieldOf = fieldMaker(forms);

  return (written) => {
    const found = match(written.includes(ESCAPE) ? written.replace(COLOURS, '') : written);
    if (found === null) return null;
    const groups = forms.refine?.(found) ?? found;
    const { time = '', level = '', hostname = '', logger = '', process = '', message: words } = groups;
    const message: LogMessage = {};
    if (words !== undefined) message.Payload = words;
    const ns = time === '' ? null : date.parse(time);
    if (ns === null && time !== '') return NO_TIME;
    if (ns !== null) message.Timestamp = ns;
    if (isValue(hostname)) message.Hostname = hostname;
    if (isValue(logger)) message.Logger = logger;
    const fields = fieldsOf(groups, isField, fieldOf);
    setSeverity(message, fields, level, severityOf(level));
    setPid(message, fields, process);
    if (forms.further !== undefined) fields.push(...forms.further(groups));
    message.Fields = fields;
    return message;
  };
}

/** Whether a group becomes a field of its name; looked up once for each name. */
function fieldNames(): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    let is = known.get(name);
    if (is === undefined) known.set(name, (is = !HEADERS.has(name) && !name.startsWith('_')));
    return is;
  };
}

function fieldsOf(groups: Groups, isField: (name: string) => boolean, fieldOf: FieldMaker): LogField[] {
  const fields: LogField[] = [];
  for (const name in groups) {
    const value = groups[name] ?? '';
    if (isValue(value) && isField(name)) fields.push(fieldOf(name, value));
  }
  return fields;
}

function isValue(text: string): boolean {
  return text !== '' && text !== '-';
}

function setSeverity(message: LogMessage, fields: LogField[], level: string, severity: number): void {
  if (severity >= 0) message.Severity = severity;
  else if (isValue(level)) fields.push({ name: 'level', value: level });
}

function setPid(message: LogMessage, fields: LogField[], process: string): void {
  if (PROCESS.test(process) && Number(process) <= MAX_PID) message.Pid = Number(process);
  else if (isValue(process)) fields.push({ name: 'procid', value: process });
}
