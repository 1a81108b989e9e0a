/**
 * Decodes messages of Cisco's firewalls and routers (ASA, Firepower, IOS, NX-OS), with the header of syslog, with that of the device, or with none:
 * `Mar  5 13:07:59 fw1 %ASA-6-302013: Built outbound TCP connection 7 for …`.
 *
 * | Part | Becomes |
 * |---|---|
 * | date and host of syslog; else those of the device `000123: fw1: *Mar  5 13:07:59.250 UTC: ` | Timestamp and Hostname; a date without a zone is in that of tz |
 * | priority | the field syslogfacility |
 * | facility `ASA`, number or word of the message `302013` | the fields facility and mnemonic |
 * | level | Severity |
 * | the rest | Payload, or the whole record with payload_keep |
 *
 * When the message has a known form, the field event names the form and further fields hold its values:
 *
 * | event | Further fields, as far as the message has them |
 * |---|---|
 * | connection_built, connection_ended | protocol, connection, direction, src_interface, src_addr, src_port, dst_interface, dst_addr, dst_port, duration, bytes (`B`), reason |
 * | denied, access_list | the same addresses, access_list, action, flags, interface, hits, icmp_type, icmp_code |
 * | login, login_failed, command, configured | user, src_addr, src_port, dst_interface, dst_addr, service, command, origin, tty |
 * | link | interface, state |
 */
import { AnyDate } from '../modules/any_date.ts';
import { ciscoRules } from '../lib/rules/cisco_rules.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { recordEnd } from '../base/scan.ts';
import { SyslogMessage } from '../lib/syslog/syslog_message.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { configuredClock } from '../modules/time_zone.ts';

export const meta: PluginMeta = {
  name: 'cisco',
  kind: 'decoder',
  stateless: true,
  summary: "Decodes messages of Cisco's firewalls and routers.",
  columns: ['event', 'src_addr', 'dst_addr', 'dst_port', 'mnemonic'],
  recordSummary: '[{facility}: ]{Payload}',
  looks: [{ lines: /^[^%\n]{0,200}%[A-Z][A-Z0-9_]*(?:-[A-Z][A-Z0-9_]*)*-(?:\d+-|[a-z]+-)?[0-7]-[A-Z0-9_]+: /, config: { type: 'cisco' } }],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'a connection through a firewall',
      in: '<166>Mar 05 2021 13:07:59 fw1 : %ASA-6-302013: Built outbound TCP connection 7 for outside:192.0.2.1/443 (192.0.2.1/443) to inside:10.0.0.5/50122 (198.51.100.5/50122)',
      out: {
        Timestamp: '1614949679000000000',
        Severity: 6,
        Hostname: 'fw1',
        Payload: 'Built outbound TCP connection 7 for outside:192.0.2.1/443 (192.0.2.1/443) to inside:10.0.0.5/50122 (198.51.100.5/50122)',
        Fields: {
          syslogfacility: 20,
          facility: 'ASA',
          mnemonic: '302013',
          event: 'connection_built',
          direction: 'outbound',
          protocol: 'TCP',
          connection: '7',
          src_interface: 'outside',
          src_addr: { value: '192.0.2.1', representation: 'ipv4' },
          src_port: 443,
          dst_interface: 'inside',
          dst_addr: { value: '10.0.0.5', representation: 'ipv4' },
          dst_port: 50122,
        },
      },
    },
    {
      title: 'a router, without syslog',
      config: { type: 'router' },
      in: {
        Payload: '000123: *Mar  5 13:07:59.250 UTC: %LINEPROTO-5-UPDOWN: Line protocol on Interface Gi0/1, changed state to down',
        Timestamp: '1614949680000000000',
      },
      out: {
        Timestamp: '1614949679250000000',
        Type: 'router',
        Severity: 5,
        Payload: 'Line protocol on Interface Gi0/1, changed state to down',
        Fields: { facility: 'LINEPROTO', mnemonic: 'UPDOWN', event: 'link', interface: 'Gi0/1', state: 'down' },
      },
    },
    { title: 'a message of another device', in: 'Mar  5 13:07:59 box1 kernel: eth0: link up', fails: 'no message of Cisco' },
  ],
};

const MESSAGE = /%(?<facility>[A-Z][A-Z0-9_]*(?:-[A-Z][A-Z0-9_]*)*)-(?:\d+-|[a-z]+-)?(?<severity>[0-7])-(?<mnemonic>[A-Z0-9_]+): ?/;
/** The header that a device writes by itself: priority, sequence number, host and date, of which only the date is required. */
const HEAD =
  /^(?:<\d{1,3}>)?(?:\d{1,10}: )?(?:(?<host>[\w.-]*[A-Za-z][\w.-]*|\d+\.\d+\.\d+\.\d+): )?[*.]?(?<month>[A-Z][a-z]{2}) +(?<day>\d{1,2}) (?:(?<year>\d{4}) )?(?<time>\d\d:\d\d:\d\d(?:\.\d+)?(?: [A-Z]{2,5})?): /;
/** The greatest length of a header, in characters. */
const LONGEST_HEAD = 300;

const refusal: ProcessStatus = [-1, 'no message of Cisco'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const date = new AnyDate(() => read_message('Timestamp') ?? 0, configuredClock());
const syslog = new SyslogMessage();
const writer = new TableWriter();

export function process_message(): ProcessStatus {
  const span = payload_span();
  const { text, start } = span;
  const record = text.slice(start, recordEnd(span));
  const found = MESSAGE.exec(record.slice(0, LONGEST_HEAD));
  if (found?.groups === undefined) return refusal;
  const { facility = '', severity = '', mnemonic = '' } = found.groups;
  const words = record.slice(found.index + found[0].length);
  const fields: LogField[] = [];
  const message: LogMessage = { Severity: Number(severity), Payload: keepPayload ? record : words, Fields: fields };
  if (type !== null) message.Type = type;

  const isSyslog = syslog.read(span);
  if (syslog.line.priority >= 0) fields.push({ name: 'syslogfacility', value: Math.floor(syslog.line.priority / 8) });
  if (isSyslog && syslog.line.ns !== null) setHeader(message, text);
  else setDeviceHeader(message, record);
  fields.push({ name: 'facility', value: facility }, { name: 'mnemonic', value: mnemonic }, ...ciscoRules.fieldsOf(words));
  return writer.inject(message);
}

/** Date and host of a line of syslog. */
function setHeader(message: LogMessage, text: string): void {
  const { ns, host, program, message: words } = syslog.line;
  if (ns !== null) message.Timestamp = ns;
  // `fw1: ` right before the message looks like a program, but numbers count messages.
  const name = host.empty && text.startsWith('%', words.from) ? program : host;
  const device = text.slice(name.from, name.to);
  if (device !== '' && (name === host || !/^\d+$/.test(device))) message.Hostname = device;
}

/** The headers that a device wrote. */
function setDeviceHeader(message: LogMessage, record: string): void {
  const { host, month = '', day = '', year, time } = HEAD.exec(record)?.groups ?? {};
  if (host !== undefined) message.Hostname = host;
  if (time === undefined) return;
  const ns = date.parse(year === undefined ? `${month} ${day} ${time}` : `${day} ${month} ${year} ${time}`);
  if (ns !== null) message.Timestamp = ns;
}
