/** The properties of rsyslog: the text that each accepts, and the header or field that it becomes. */
import { EpochDate, Rfc3164Date, Rfc3339Date, twoDigits, type DateReader } from '../../base/dates.ts';
import { nanoseconds, type Instant } from '../../base/instant.ts';
import { ipv4, ipv6 } from '../hosts.ts';
import { dateField, freeText, numberField, textField, type FieldType } from '../format/log_fields.ts';
import { atMost, digitCount, digits, either, integerIn, oneOf, run, sequence, upToSpace, type Scan } from '../../base/scan.ts';
import { FormatDate } from '../../base/strftime.ts';
import { structuredData } from './syslog_line.ts';
import { facilityIn, facilityWord, severityIn, severityWord } from './syslog_words.ts';
import type { WallClock } from '../../modules/time_zone.ts';

type NumberIn = (text: string, from: number, to: number) => number;

const MAX_PID = 2_147_483_647;
const COLON = 58;
const OPEN = 91;
const NOTHING = oneOf(['']);

const printable = run((code) => code > 32 && code < 127);
const upToThreeDigits = atMost(3, digits);
const programName = either(
  run((code) => code > 32 && code < 127 && code !== COLON && code !== OPEN),
  NOTHING,
);
const processInBrackets = sequence(oneOf(['[']), digits, oneOf([']']));

/** A dash for none, or a word of at most `length` characters, which may be none. */
const word = (length: number): Scan => either(oneOf(['-']), either(atMost(length, printable), NOTHING));

/** Properties that are text. */
const TEXTS: Readonly<Record<string, Scan>> = {
  rawmsg: (_text, _at, end) => end,
  hostname: word(255),
  source: word(255),
  fromhost: word(255),
  'fromhost-ip': either(ipv4, ipv6),
  programname: programName,
  iut: digits,
  'protocol-version': digits,
  'structured-data': structuredData,
  'app-name': word(48),
  procid: word(128),
  msgid: word(32),
  inputname: either(printable, NOTHING),
  $bom: oneOf(['\ufeff']),
  $now: (text, at, end) => new FormatDate('%Y-%m-%d').read(text, at, end),
  $year: digitCount(4),
  $month: between(1, 12),
  $day: between(1, 31),
  $hour: between(0, 23),
  $hhour: between(0, 1),
  $qhour: between(0, 3),
  $minute: between(0, 59),
  'rawmsg-after-pri': (_text, _at, end) => end,
  jsonmesg: (_text, _at, end) => end,
  uuid: printable,
  'fromhost-port': digits,
  $myhostname: word(255),
  $wday: digitCount(1),
  '$now-unixtimestamp': digits,
};
/** The date and its parts exist once more in UTC. */
const UTC = /-utc$/;
/** Values that scripts of rsyslog set: `$!name`, `$.name`, `$/name`. */
const VARIABLE = /^\$[!./]/;

const priorityWords = sequence(facilityWord, oneOf(['.']), severityWord);
/** `auth.crit<34>`, or `auth.crit` as rsyslog 8 writes it. */
const priorityText = either(sequence(priorityWords, oneOf(['<']), digits, oneOf(['>'])), priorityWords);

/** Properties that are numbers. */
const NUMBERS: Readonly<Record<string, readonly [scan: Scan, valueOf: NumberIn]>> = {
  'pri-text': [priorityText, (text, from) => facilityIn(text, from, text.indexOf('.', from))],
  syslogfacility: [upToThreeDigits, integerIn],
  'syslogfacility-text': [facilityWord, facilityIn],
  syslogseverity: [digitCount(1), integerIn],
  'syslogseverity-text': [severityWord, severityIn],
  syslogpriority: [digitCount(1), integerIn],
  'syslogpriority-text': [severityWord, severityIn],
};

/** Properties that say the severity, the most trusted first. */
export const SEVERITY_PROPERTIES = ['syslogseverity', 'syslogseverity-text', 'syslogpriority', 'syslogpriority-text'];

/** A property that becomes a field of its name; undefined when there is no such property. */
export function propertyField(name: string): FieldType | undefined {
  const plain = name.startsWith('$') ? name.replace(UTC, '') : name;
  if (Object.hasOwn(TEXTS, plain)) return textField(TEXTS[plain] as Scan);
  if (VARIABLE.test(name)) return freeText(upToSpace);
  return Object.hasOwn(NUMBERS, name) ? numberField(...(NUMBERS[name] as [Scan, NumberIn])) : undefined;
}

/** The same text without a trace in the message. */
export function ignored({ scan }: FieldType): FieldType {
  return { scan, columns: () => [], write: () => undefined };
}

/** A text that becomes the Hostname. */
export function hostnameHeader({ scan }: FieldType): FieldType {
  return { scan, columns: () => [], write: (writer, _column, text, from, to) => writer.hostname(text.slice(from, to)) };
}

/** A property that becomes the Severity; one of `SEVERITY_PROPERTIES`. */
export function severityHeader(name: string): FieldType {
  const [scan, valueOf] = NUMBERS[name] as [Scan, NumberIn];
  return { scan, columns: () => [], write: (writer, _column, text, from, to) => writer.severity(valueOf(text, from, to)) };
}

/** The priority: Severity and the field syslogfacility. */
export function priority(): FieldType {
  return {
    scan: upToThreeDigits,
    columns: () => [{ name: 'syslogfacility', kind: 'number' }],
    write: (writer, column, text, from, to) => {
      const value = integerIn(text, from, to);
      writer.severity(value % 8);
      writer.number(column, Math.floor(value / 8));
    },
  };
}

/** The tag `name[pid]:`, brackets and colon optional, as Pid and optionally the field programname. */
export function tag(withProgram: boolean): FieldType {
  return {
    scan: sequence(programName, either(processInBrackets, NOTHING), oneOf([':', ''])),
    columns: () => [{ name: 'programname', kind: 'slice' }],
    write: (writer, column, text, from, to) => {
      const program = programName(text, from, to);
      const process = processInBrackets(text, program, to);
      if (withProgram) writer.slice(column, from, program);
      const pid = process < 0 ? Infinity : integerIn(text, program + 1, process - 1);
      if (pid <= MAX_PID) writer.pid(pid);
    },
  };
}

/** The message, as Payload. */
export function message(scan: Scan): FieldType {
  return { scan, columns: () => [], write: (writer, _column, _text, from, to) => writer.payloadSlice(from, to) };
}

/** A date in the form that the option names, as Timestamp. `clock` is that of dates without a zone. */
export function timestamp(option: string, now: () => number, clock: WallClock): FieldType {
  const { reader, timeOf } = dateReader(option, now, clock);
  return dateField(reader, timeOf);
}

/** The same as a field that holds nanoseconds since 1970. */
export function timeGenerated(option: string, now: () => number, clock: WallClock): FieldType {
  const { reader, timeOf } = dateReader(option, now, clock);
  const read: Scan = (text, at, end) => reader.read(text, at, end);
  return numberField(read, () => Number(timeOf(reader)));
}

/** The options that say the form of a date. */
export const DATE_OPTIONS = ['date-mysql', 'date-pgsql', 'date-rfc3339', 'date-rfc3164', 'date-unixtimestamp', 'date-subseconds'];

/** A reader of dates, and the time of the one that it read last. */
interface TimedReader {
  readonly reader: DateReader;
  readonly timeOf: (date: Instant) => number | bigint;
}

function dateReader(option: string, now: () => number, clock: WallClock): TimedReader {
  const timeOf = (date: Instant): number | bigint => clock.timeOf(date);
  switch (option) {
    case 'date-mysql':
      return { reader: new FormatDate('%Y%m%d%H%M%S'), timeOf };
    case 'date-pgsql':
      return { reader: new FormatDate('%Y-%m-%d %H:%M:%S'), timeOf };
    case 'date-rfc3339':
      return { reader: new Rfc3339Date(), timeOf: nanoseconds };
    case 'date-unixtimestamp':
      return { reader: new EpochDate(0), timeOf: nanoseconds };
    case 'date-subseconds':
      return { reader: new EpochDate(9), timeOf: nanoseconds };
    default:
      return { reader: new Rfc3164Date(() => clock.fromUtc(now())), timeOf };
  }
}

function between(minimum: number, maximum: number): Scan {
  return (text, at, end) => (at + 2 <= end && twoDigits(text, at, minimum, maximum) >= 0 ? at + 2 : -1);
}
