/**
 * Decodes events in ArcSight's Common Event Format: `CEF:0|Vendor|Product|1.0|100|Port scan|7|src=192.0.2.1 spt=443`, alone or behind a head of syslog
 * (RFC 3164, RFC 5424).
 *
 * | Part | Becomes |
 * |---|---|
 * | vendor, product, version and class of the event | the fields deviceVendor, deviceProduct, deviceVersion and deviceEventClassId |
 * | name | Payload |
 * | severity | the field severity and Severity: 0 to 3 and Low are 6, 4 to 6 and Medium 4, 7, 8 and High 3, 9, 10 and Very-High 2; else that of the priority |
 * | the first of rt, end and start that is a time, else the date of syslog | Timestamp |
 * | dvchost, else the host of syslog, else dvc | Hostname |
 * | dvcpid, else the process of syslog | Pid |
 * | all other keys | fields of their names; ports, counts and sizes are numbers |
 *
 * A custom key with a label, `cs1Label=Policy cs1=Default`, becomes a field of the label's name, `Policy`; with `labels` switched off both stay as they are.
 * The escapes `\|` and `\\` of the header, and `\=`, `\\`, `\n` and `\r` of the extension, are resolved. An equals sign in a value needs none as
 * long as no white space and word stand in front of it. Other text in front of the event, which is not a syslog header, becomes the field prefix.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { barredHeader } from '../lib/header/barred_header.ts';
import { extensionPairs, labelledNames } from '../lib/cef_extension.ts';
import { eventSeverity } from '../lib/header/event_severity.ts';
import { fieldMaker } from '../lib/rules/message_rules.ts';
import { KEEP_LINE, TYPE, ZONE } from '../lib/parameters.ts';
import { eventTimes, SyslogHead } from '../lib/syslog/syslog_head.ts';

export const meta: PluginMeta = {
  name: 'cef',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes events in the Common Event Format (CEF) of security products.',
  columns: ['severity', 'deviceProduct', 'src', 'dst', 'act'],
  recordSummary: '{Payload|name}[ {src} → {dst}| {src}| {dst}][ {duser|suser}] · {act}',
  looks: [{ lines: /(?:^|[\s>])CEF: ?\d+(?:\.\d+)?\|/, config: { type: 'cef' } }],
  parameters: {
    labels: { type: 'bool', summary: 'Name fields of custom keys, such as cs1, by their labels.', default: true },
    tz: ZONE,
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'behind a head of syslog, with a label',
      in: '<134>Mar  5 13:08:00 gate1 CEF:0|Example|Guard \\| Pro|2.1|100|Port scan|7|rt=1614949679250 src=192.0.2.1 spt=4711 cs1Label=Policy cs1=a \\= b msg=two words in=5120',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 3,
        Hostname: 'gate1',
        Payload: 'Port scan',
        Fields: {
          deviceVendor: 'Example',
          deviceProduct: 'Guard | Pro',
          deviceVersion: '2.1',
          deviceEventClassId: '100',
          severity: 7,
          syslogfacility: 16,
          src: { value: '192.0.2.1', representation: 'ipv4' },
          spt: 4711,
          Policy: 'a = b',
          msg: 'two words',
          in: { value: 5120, representation: 'B' },
        },
      },
    },
    {
      title: 'a time as text',
      config: { type: 'ids' },
      in: 'CEF:0|Example|Guard|2.1|login|Login failed|Medium|end=Mar 05 2021 14:07:59.250 CET duser=alice',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'ids',
        Severity: 4,
        Payload: 'Login failed',
        Fields: {
          deviceVendor: 'Example',
          deviceProduct: 'Guard',
          deviceVersion: '2.1',
          deviceEventClassId: 'login',
          severity: 'Medium',
          duser: 'alice',
        },
      },
    },
    { title: 'a line that was cut off', in: 'CEF:0|Example|Guard|2.1|100', fails: 'a header of seven parts is expected' },
    { title: 'another line', in: 'Mar  5 13:08:00 gate1 app: started', fails: 'no CEF:' },
  ],
};

const START = /(?<=^|[\s>])CEF: ?(?=\d+(?:\.\d+)?\|)/;
const HEADER = ['', 'deviceVendor', 'deviceProduct', 'deviceVersion', 'deviceEventClassId', 'name', 'severity'];
const [NAME, SEVERITY] = [5, 6];
const TIMES = ['rt', 'end', 'start'];
const COUNTS =
  'spt dpt cnt cn1 cn2 cn3 cfp1 cfp2 cfp3 cfp4 flexNumber1 flexNumber2 spid dpid deviceDirection type sourceTranslatedPort destinationTranslatedPort slat slong dlat dlong eventId';
const fieldOf = fieldMaker({
  numbers: { ...Object.fromEntries(COUNTS.split(' ').map((key) => [key, ''])), in: 'B', out: 'B', fsize: 'B', oldFileSize: 'B' },
  hosts: 'src dst dvc c6a1 c6a2 c6a3 c6a4 sourceTranslatedAddress destinationTranslatedAddress deviceTranslatedAddress'.split(' '),
});

const noEvent: ProcessStatus = [-1, 'no CEF:'];
const noHeader: ProcessStatus = [-1, 'a header of seven parts is expected'];
const withLabels = boolConfig('labels');
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const head = new SyslogHead();
const timeAt = eventTimes();
const writer = new TableWriter();

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = text.slice(start, withoutLineEnd(text, start, end));
  const found = START.exec(line);
  if (found === null) return noEvent;
  const { parts, rest } = barredHeader(line.slice(found.index + found[0].length), HEADER.length);
  if (parts.length < HEADER.length) return noHeader;

  const message: LogMessage = {};
  const further = head.read(line.slice(0, found.index), message);
  const pairs = extensionPairs(rest);
  setHeaders(message, pairs, parts[SEVERITY] as string);
  message.Payload = keepPayload ? line : (parts[NAME] as string);
  message.Fields = [...headerFields(parts), ...further, ...pairFields(pairs)];
  return writer.inject(message);
}

/** Sets headers from the event itself; what became one is no field. */
function setHeaders(message: LogMessage, pairs: Map<string, string>, severity: string): void {
  if (type !== null) message.Type = type;
  const level = eventSeverity(severity);
  if (level >= 0) message.Severity = level;
  for (const key of TIMES) {
    const ns = timeAt(pairs.get(key) ?? '');
    if (ns === null) continue;
    message.Timestamp = ns;
    pairs.delete(key);
    break;
  }
  const host = pairs.get('dvchost') ?? message.Hostname ?? pairs.get('dvc');
  if (host !== undefined) message.Hostname = host;
  if (pairs.get('dvchost') === host) pairs.delete('dvchost');
  const pid = pairs.get('dvcpid') ?? '';
  if (/^\d{1,9}$/.test(pid) && pairs.delete('dvcpid')) message.Pid = Number(pid);
}

function headerFields(parts: readonly string[]): LogField[] {
  const fields: LogField[] = [];
  for (const [i, value] of parts.entries()) {
    if (i === 0 || value === '' || (i === NAME && !keepPayload)) continue;
    const name = HEADER[i] as string;
    fields.push(i === SEVERITY && /^\d{1,2}$/.test(value) ? { name, value: Number(value) } : { name, value });
  }
  return fields;
}

function pairFields(pairs: ReadonlyMap<string, string>): LogField[] {
  if (!withLabels) return Array.from(pairs, ([key, value]) => fieldOf(key, value));
  const names = labelledNames(pairs);
  return Array.from(pairs, ([key, value]) => ({ ...fieldOf(key, value), name: names.get(key) ?? key })).filter(({ name }) => name !== '');
}
