/** Templates of rsyslog: `<%PRI%>%TIMESTAMP% %HOSTNAME% %syslogtag%%msg%\n` */
import { escapedBytes } from './byte_escapes.ts';
import { delimiterScan, type Delimiter, type LogItem } from '../format/log_format.ts';
import type { FieldType } from '../format/log_fields.ts';
import {
  DATE_OPTIONS,
  SEVERITY_PROPERTIES,
  hostnameHeader,
  ignored,
  message,
  priority,
  propertyField,
  severityHeader,
  tag,
  timeGenerated,
  timestamp,
} from './rsyslog_properties.ts';
import { run, upTo, upToLineEnd, type Scan } from '../../base/scan.ts';
import type { WallClock } from '../../modules/time_zone.ts';

/** Options that change the meaning of a template. */
export interface TemplateOptions {
  /** Keep hostname and source as fields instead of making them the Hostname. */
  readonly hostnameKeep: boolean;
  /** The time at which the line was read, in nanoseconds since 1970. */
  readonly now: () => number;
  /** The clock of dates without a zone. */
  readonly clock: WallClock;
}

interface Property {
  readonly kind: 'property';
  /** In lower case. */
  readonly name: string;
  readonly option: string;
}

type Part = Property | Delimiter;

const PART = /%(?<name>[\w$.!/-]+)(?<options>(?::[^:%]*)*)%|(?<space>[ \t-\r])|(?<literal>(?:\\[^]|[^% \t-\r\\])+|[%\\])/g;
const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
const BLANKS = 'sp-if-no-1st-sp';
const FORMS = new Set([BLANKS, ...DATE_OPTIONS]);
const blanks = run((code) => code === 32);

/** The templates that rsyslog has by itself. */
const BUILT_IN: Readonly<Record<string, string>> = {
  RSYSLOG_TraditionalFileFormat: String.raw`%TIMESTAMP% %HOSTNAME% %syslogtag%%msg:::sp-if-no-1st-sp%%msg:::drop-last-lf%\n`,
  RSYSLOG_FileFormat: String.raw`%TIMESTAMP:::date-rfc3339% %HOSTNAME% %syslogtag%%msg:::sp-if-no-1st-sp%%msg:::drop-last-lf%\n`,
  RSYSLOG_TraditionalForwardFormat: '<%PRI%>%TIMESTAMP% %HOSTNAME% %syslogtag:1:32%%msg:::sp-if-no-1st-sp%%msg%',
  RSYSLOG_ForwardFormat: '<%PRI%>%TIMESTAMP:::date-rfc3339% %HOSTNAME% %syslogtag:1:32%%msg:::sp-if-no-1st-sp%%msg%',
  RSYSLOG_SyslogProtocol23Format: String.raw`<%PRI%>1 %TIMESTAMP:::date-rfc3339% %HOSTNAME% %APP-NAME% %PROCID% %MSGID% %STRUCTURED-DATA% %msg%\n`,
};

/**
 * The items of a template, which may also be the name of one that rsyslog has by itself. Raises an error when it is empty or has a property that is not
 * known.
 */
export function rsyslogTemplate(template: string, options: TemplateOptions): LogItem[] {
  const parts = partsOf((Object.hasOwn(BUILT_IN, template) ? (BUILT_IN[template] as string) : template).replaceAll('\r\n', '\n'));
  if (parts.length === 0) throw new SyntaxError('template is empty');
  if (!parts.some(({ kind }) => kind === 'property')) throw new SyntaxError(`template has no property such as %msg%: ${template}`);
  return parts.map((part, i) => {
    if (part.kind !== 'property') return part;
    if (part.option === BLANKS) return { kind: 'field', name: BLANKS, type: ignored(message(blanks)) };
    return { kind: 'field', name: fieldName(part.name), type: typeOf(parts, i, part, options) };
  });
}

function partsOf(template: string): Part[] {
  return Array.from(template.matchAll(PART), ({ groups = {} }): Part => {
    const { name, options = '', space, literal = '' } = groups;
    if (name !== undefined) return { kind: 'property', name: name.toLowerCase(), option: optionOf(options) };
    return space === undefined ? { kind: 'literal', text: unescape(literal) } : { kind: 'space', text: space };
  });
}

/**
 * `:from:to:option` or `:option`; where the property is cut does not matter for reading it. Of several options the one counts that says what stands
 * there.
 */
function optionOf(options: string): string {
  const parts = options.split(':').slice(1);
  const all = (parts.length === 1 ? parts[0] : parts[2])?.toLowerCase().split(',') ?? [];
  return all.find((option) => FORMS.has(option)) ?? all[0] ?? '';
}

/** The name under which only the last occurrence counts. */
function fieldName(name: string): string {
  return name === 'timereported' ? 'timestamp' : name;
}

function typeOf(parts: readonly Part[], at: number, { name, option }: Property, options: TemplateOptions): FieldType {
  switch (name) {
    case 'msg':
      return message(messageScan(parts.slice(at + 1)));
    case 'pri':
      return priority();
    case 'syslogtag':
      return tag(!names(parts.slice(at + 1)).includes('programname'));
    case 'timestamp':
    case 'timereported':
      return timestamp(option, options.now, options.clock);
    case 'timegenerated':
      return timeGenerated(option, options.now, options.clock);
    default:
      return plainProperty(parts, at, name, options);
  }
}

function plainProperty(parts: readonly Part[], at: number, name: string, { hostnameKeep }: TemplateOptions): FieldType {
  const type = propertyField(name);
  if (type === undefined) throw new SyntaxError(`template: unknown property ${name}`);
  const all = names(parts);
  if (name === 'programname' && names(parts.slice(at + 1)).includes('syslogtag')) return ignored(type);
  if (!hostnameKeep && name === 'hostname') return hostnameHeader(type);
  if (!hostnameKeep && name === 'source') return all.includes('hostname') ? ignored(type) : hostnameHeader(type);
  if (name === 'syslogfacility' && all.includes('pri')) return ignored(type);
  if (!SEVERITY_PROPERTIES.includes(name) || all.includes('pri')) return type;
  return name === SEVERITY_PROPERTIES.find((other) => all.includes(other)) ? severityHeader(name) : ignored(type);
}

function names(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.kind === 'property' && part.option !== BLANKS ? [part.name] : []));
}

/** The message reaches to the delimiters behind it when there is a literal among them, else to the end of the line. */
function messageScan(behind: readonly Part[]): Scan {
  const next = behind.findIndex(({ kind }) => kind === 'property');
  const delimiters = (next < 0 ? behind : behind.slice(0, next)) as Delimiter[];
  if (!delimiters.some(({ kind, text }) => kind === 'literal' && text !== '\n')) return upToLineEnd;
  const [only, ...more] = delimiters;
  if (only?.kind === 'literal' && more.length === 0 && !only.text.includes('\n')) return upTo(only.text);
  const delimited = delimiterScan(delimiters, next < 0);
  return (text, at, end) => {
    while (at < end && delimited(text, at, end) < 0) at++;
    return at;
  };
}

/** `\n` and the like, and `\` with up to three decimal digits for a byte; any other escaped character is itself. */
function unescape(text: string): string {
  return text.replace(/((?:\\\d{1,3})+)|\\([^])/g, (_, bytes: string | undefined, letter: string) => {
    if (bytes !== undefined) return escapedBytes(bytes);
    return ESCAPES[letter] ?? letter;
  });
}
