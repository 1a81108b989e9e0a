/**
 * Decodes audit logs of Windows' DHCP server: `10,03/05/21,13:07:59,Assign,192.0.2.7,box1.example.org,0011223344AB,…`. The explanations at the
 * beginning of a file, and the names of the columns, are passed on undecoded.
 *
 * | Part | Becomes |
 * |---|---|
 * | Date and Time, which are in the zone of tz | Timestamp |
 * | Description | Payload, or the whole line with payload_keep |
 * | ID, IP Address, Host Name, MAC Address | the fields event_id, ip_address, host_name, mac_address |
 * | all others | fields of their names in lower case, with underscores; the hexadecimal forms of classes are left out |
 */
import { KEEP_LINE, TYPE, ZONE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { isDigit } from '../base/scan.ts';

export const meta: PluginMeta = {
  name: 'windows_dhcp',
  kind: 'decoder',
  stateless: true,
  comments: true,
  summary: "Decodes audit logs of Windows' DHCP server.",
  columns: ['event_id', 'ip_address', 'host_name', 'mac_address'],
  recordSummary: '{Payload}[ {ip_address}][ {host_name}]',
  looks: [
    { text: /^ID,Date,Time,Description,IP Address,Host Name,MAC Address/m },
    { lines: /^\d{2,5},\d\d\/\d\d\/\d\d,\d\d:\d\d:\d\d,[A-Z][^,]*,(?:\d{1,3}\.[\d.]+|[\da-f:]*),[^,]*,[\dA-F]*,/, least: 0.95 },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'a lease',
      in: '10,03/05/21,13:07:59,Assign,192.0.2.7,box1.example.org,0011223344AB,,1234,0,,,,0x4D53465420352E30,MSFT 5.0,,,,0',
      out: {
        Timestamp: '1614949679000000000',
        Payload: 'Assign',
        Fields: {
          event_id: 10,
          ip_address: { value: '192.0.2.7', representation: 'ipv4' },
          host_name: 'box1.example.org',
          mac_address: '0011223344AB',
          transaction_id: '1234',
          qresult: '0',
          vendor_class: 'MSFT 5.0',
          dns_reg_error: '0',
        },
      },
    },
    {
      title: 'an older server, which has fewer columns',
      config: { tz: '+01:00', type: 'dhcp' },
      in: '00,03/05/21,14:07:59,Started,,,,',
      out: { Timestamp: '1614949679000000000', Type: 'dhcp', Payload: 'Started', Fields: { event_id: 0 } },
    },
    { title: 'a line that was cut off', in: '10,03/05/21', fails: 'no event of a DHCP server' },
  ],
};

/** Of newer servers, behind the MAC address. */
const FURTHER = [
  ...['user_name', 'transaction_id', 'qresult', 'probation_time', 'correlation_id', 'dhcid', '_vendor_class_hex', 'vendor_class'],
  ...['_user_class_hex', 'user_class', 'relay_agent_information', 'dns_reg_error'],
];
const VALUES = FURTHER.reduceRight((rest, name) => `(?:,(?<${name}>[^,]*)${rest})?`, '');

const decode = patternDecoder({
  patterns: [
    new RegExp(
      String.raw`^(?<event_id>\d{1,5}),(?<_month>\d\d)/(?<_day>\d\d)/(?<_year>\d\d),(?<_clock>\d\d:\d\d:\d\d),(?<message>[^,]*),(?<ip_address>[^,]*),(?<host_name>[^,]*),(?<mac_address>[^,]*)${VALUES}`,
    ),
  ],
  numbers: { event_id: '' },
  hosts: ['ip_address'],
  refusal: 'no event of a DHCP server',
  refine: ({ _month, _day, _year, _clock, ...groups }) => ({ ...groups, time: `20${_year}-${_month}-${_day} ${_clock}` }),
});

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  return isEvent(text, start, end) ? decode() : 0;
}

/** Whether the line begins with a number and a comma. */
function isEvent(text: string, at: number, end: number): boolean {
  let to = at;
  while (to < end && isDigit(text.charCodeAt(to))) to++;
  return to > at && text[to] === ',';
}
