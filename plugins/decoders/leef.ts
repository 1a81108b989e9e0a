/**
 * Decodes events in QRadar's Log Event Extended Format: `LEEF:1.0|Vendor|Product|1.0|100|` with `key=value` between tabs, and LEEF 2.0, whose header can
 * name another delimiter (`^`, `x09`); alone or behind a head of syslog (RFC 3164, RFC 5424).
 *
 * | Part | Becomes |
 * |---|---|
 * | vendor, product, version and identifier of the event | the fields deviceVendor, deviceProduct, deviceVersion and eventId |
 * | sev | the field sev and Severity: 1 to 3 are 6, 4 to 6 4, 7 and 8 3, 9 and 10 2; else that of the priority |
 * | devTime, else the date of syslog | Timestamp; devTimeFormat says its form in the letters of Java's SimpleDateFormat |
 * | msg | Payload, or a field with payload_keep |
 * | host of syslog, else identHostName | Hostname |
 * | all other keys | fields of their names; ports and counts are numbers |
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { DatePattern } from '../modules/date_pattern.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { remembered } from '../base/remembered.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { barredHeader } from '../lib/header/barred_header.ts';
import { eventSeverity } from '../lib/header/event_severity.ts';
import { fieldMaker } from '../lib/rules/message_rules.ts';
import { KEEP_LINE, TYPE, ZONE } from '../lib/parameters.ts';
import { eventTimes, now, SyslogHead } from '../lib/syslog/syslog_head.ts';

export const meta: PluginMeta = {
  name: 'leef',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes events in the Log Event Extended Format (LEEF 1.0 and 2.0) of security products.',
  columns: ['eventId', 'cat', 'deviceProduct', 'src', 'dst'],
  recordSummary: '{eventId|cat}[ {src} → {dst}| {src}| {dst}][ {usrName}] · {Payload}',
  looks: [{ lines: /(?:^|[\s>])LEEF: ?\d+(?:\.\d+)?\|/, config: { type: 'leef' } }],
  parameters: {
    tz: ZONE,
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'LEEF 1.0 with tabs, behind a head of syslog',
      in: 'Mar  5 13:08:00 192.0.2.9 LEEF:1.0|Example|Guard|2.1|15345|devTime=Mar 05 2021 13:07:59.250\tsrc=192.0.2.1\tdstPort=443\tsev=5\tcat=scan\tmsg=a=b, two words',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 4,
        Hostname: '192.0.2.9',
        Payload: 'a=b, two words',
        Fields: {
          deviceVendor: 'Example',
          deviceProduct: 'Guard',
          deviceVersion: '2.1',
          eventId: '15345',
          src: { value: '192.0.2.1', representation: 'ipv4' },
          dstPort: 443,
          sev: 5,
          cat: 'scan',
        },
      },
    },
    {
      title: 'LEEF 2.0 with a delimiter and a form of the time of its own',
      config: { type: 'ids' },
      in: 'LEEF:2.0|Example|Guard|2.1|41|^|devTime=05.03.2021 14:07:59,250 +0100^devTimeFormat=dd.MM.yyyy HH:mm:ss,SSS Z^usrName=alice^sev=9',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'ids',
        Severity: 2,
        Fields: { deviceVendor: 'Example', deviceProduct: 'Guard', deviceVersion: '2.1', eventId: '41', usrName: 'alice', sev: 9 },
      },
    },
    { title: 'a line that was cut off', in: 'LEEF:2.0|Example|Guard', fails: 'a header of five parts is expected' },
    { title: 'another line', in: 'Mar  5 13:08:00 gate1 app: started', fails: 'no LEEF:' },
  ],
};

const START = /(?<=^|[\s>])LEEF: ?(?=\d+(?:\.\d+)?\|)/;
const HEADER = ['', 'deviceVendor', 'deviceProduct', 'deviceVersion', 'eventId'];
/** One character, or its number in hexadecimal digits, between the header and the attributes of LEEF 2.0; nothing stands for a tab. */
const DELIMITER = /^(?:(?:0?x([0-9A-Fa-f]{1,4})|([^|]))?)\|/;
const TAB = '\t';
const COUNTS = 'srcPort dstPort srcPreNATPort dstPreNATPort srcPostNATPort dstPostNATPort srcPackets dstPackets totalPackets sev';
const fieldOf = fieldMaker({
  numbers: { ...Object.fromEntries(COUNTS.split(' ').map((key) => [key, ''])), srcBytes: 'B', dstBytes: 'B', totalBytes: 'B' },
  hosts: 'src dst srcPreNAT dstPreNAT srcPostNAT dstPostNAT identSrc resource vSrc'.split(' '),
});

const noEvent: ProcessStatus = [-1, 'no LEEF:'];
const noHeader: ProcessStatus = [-1, 'a header of five parts is expected'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const clock = configuredClock();
const head = new SyslogHead();
const timeAt = eventTimes();
const writer = new TableWriter();
/** Characters of a form of times, at most. */
const LONGEST_FORM = 64;

/** Whether a time of this form may be read in very many ways: it has choices, digits between numbers, or a second zone. */
function isAmbiguous(format: string): boolean {
  const zones = format.replace(/'[^']*'/g, '').match(/([zZXxV])\1*/g) ?? [];
  return /[[\]\d]/.test(format) || zones.length > 1;
}

/** The reader of a form of times; null for a form that is none. Forms stand in the records, so that anybody may have written them. */
const patternOf = remembered((format) => {
  if (format.length > LONGEST_FORM || isAmbiguous(format)) return null;
  try {
    return new DatePattern(format, now, clock);
  } catch {
    return null;
  }
});

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = text.slice(start, withoutLineEnd(text, start, end));
  const found = START.exec(line);
  if (found === null) return noEvent;
  const { parts, rest } = barredHeader(line.slice(found.index + found[0].length), HEADER.length);
  if (parts.length < HEADER.length) return noHeader;

  const message: LogMessage = {};
  const further = head.read(line.slice(0, found.index), message);
  const pairs = attributes(rest, Number(parts[0]) >= 2);
  setHeaders(message, pairs);
  if (keepPayload) message.Payload = line;
  const header = parts.flatMap((value, i): LogField[] => (i === 0 || value === '' ? [] : [{ name: HEADER[i] as string, value }]));
  message.Fields = [...header, ...further, ...Array.from(pairs, ([key, value]) => fieldOf(key, value))];
  return writer.inject(message);
}

/** Keys with their values; empty ones are left out. */
function attributes(text: string, second: boolean): Map<string, string> {
  const named = second ? DELIMITER.exec(text) : null;
  const hex = named?.[1];
  const delimiter = hex === undefined ? (named?.[2] ?? TAB) : String.fromCharCode(Number.parseInt(hex, 16));
  const pairs = new Map<string, string>();
  for (const item of text.slice(named?.[0].length ?? 0).split(delimiter)) {
    const equals = item.indexOf('=');
    const value = item.slice(equals + 1).trim();
    if (equals > 0 && value !== '') pairs.set(item.slice(0, equals).trim(), value);
  }
  return pairs;
}

/** Sets headers from the event itself; what became one is no field. */
function setHeaders(message: LogMessage, pairs: Map<string, string>): void {
  if (type !== null) message.Type = type;
  const severity = eventSeverity(pairs.get('sev') ?? '');
  if (severity >= 0) message.Severity = severity;
  const ns = timeOf(pairs.get('devTime'), pairs.get('devTimeFormat'));
  if (ns !== null) {
    message.Timestamp = ns;
    pairs.delete('devTime');
    pairs.delete('devTimeFormat');
  }
  const host = pairs.get('identHostName');
  if (message.Hostname === undefined && host !== undefined && pairs.delete('identHostName')) message.Hostname = host;
  const words = pairs.get('msg');
  if (!keepPayload && words !== undefined && pairs.delete('msg')) message.Payload = words;
}

function timeOf(time: string | undefined, format: string | undefined): bigint | null {
  if (time === undefined) return null;
  const ns = format === undefined ? null : (patternOf(format)?.parse(time) ?? null);
  return ns ?? timeAt(time);
}
