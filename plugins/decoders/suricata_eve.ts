/**
 * Decodes Suricata's EVE output: lines of JSON with a `timestamp` and an `event_type`, also behind the mark `@cee:`.
 *
 * | Member | Becomes |
 * |---|---|
 * | timestamp, also without a zone | Timestamp |
 * | alert.severity of an alert: 1, 2, 3 and more | Severity 2, 3, 4 and 5 |
 * | anomaly; engine.level or log_level of messages of Suricata itself | Severity 4; the level's |
 * | all other types of events | Severity 6 |
 * | alert.signature, anomaly.event, engine.message | Payload, and they stay fields |
 * | host | Hostname |
 * | all members | fields of their names, nested ones joined by dots, as json_lines makes them |
 */
import { boolConfig } from '../modules/config.ts';
import { parseExactly } from '../modules/json.ts';
import { JsonEvents } from '../lib/json/json_events.ts';
import { KEEP_LINE, TYPE, ZONE } from '../lib/parameters.ts';
import { suricataForm } from '../lib/json/suricata_event.ts';

export const meta: PluginMeta = {
  name: 'suricata_eve',
  kind: 'decoder',
  stateless: true,
  summary: "Decodes Suricata's EVE output in JSON.",
  columns: ['event_type', 'src_ip', 'dest_ip', 'dest_port', 'proto'],
  recordSummary: '{event_type}[ {src_ip} → {dest_ip}[:{dest_port}]] · {Payload} · [{http.hostname}{http.url}|{dns.rrname|dns.rcode}]',
  looks: [
    { lines: [/^(?:@cee: ?)?\s*\{.{0,40}"timestamp": ?"\d{4}-\d\d-\d\dT/, /"event_type": ?"/], config: { type: 'suricata' }, rank: 2 },
  ],
  parameters: {
    tz: ZONE,
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'an alert',
      in: '{"timestamp":"2021-03-05T14:07:59.250123+0100","flow_id":586497171462735,"event_type":"alert","src_ip":"192.0.2.1","src_port":50096,"dest_ip":"198.51.100.7","dest_port":80,"proto":"TCP","alert":{"action":"allowed","signature_id":2018358,"signature":"EXAMPLE suspicious POST","severity":2}}',
      out: {
        Timestamp: '1614949679250123000',
        Severity: 3,
        Payload: 'EXAMPLE suspicious POST',
        Fields: {
          flow_id: 586497171462735,
          event_type: 'alert',
          src_ip: '192.0.2.1',
          src_port: 50096,
          dest_ip: '198.51.100.7',
          dest_port: 80,
          proto: 'TCP',
          'alert.action': 'allowed',
          'alert.signature_id': 2018358,
          'alert.signature': 'EXAMPLE suspicious POST',
          'alert.severity': 2,
        },
      },
    },
    {
      title: 'an answer of DNS',
      config: { type: 'suricata' },
      in: '@cee: {"timestamp":"2021-03-05T13:07:59.250123+0000","event_type":"dns","dns":{"type":"answer","rcode":"NOERROR","answers":[{"rrname":"example.org"}]}}',
      out: {
        Timestamp: '1614949679250123000',
        Type: 'suricata',
        Severity: 6,
        Fields: {
          event_type: 'dns',
          'dns.type': 'answer',
          'dns.rcode': 'NOERROR',
          'dns.answers': { value: '[{"rrname":"example.org"}]', representation: 'json' },
        },
      },
    },
    { title: 'JSON of another program', in: '{"timestamp":"2021-03-05T13:07:59Z","msg":"x"}', fails: 'no event_type' },
    { title: 'a line that was cut off', in: '{"timestamp":"2021-03-05T13:07:59.2', fails: 'no JSON object' },
  ],
};

const MARK = /^@cee: ?/;
const noObject: ProcessStatus = [-1, 'no JSON object'];
const noType: ProcessStatus = [-1, 'no event_type'];
const events = new JsonEvents(suricataForm(boolConfig('payload_keep')));

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const event = parseExactly(text.slice(start, end).replace(MARK, ''));
  if (event === null) return noObject;
  return typeof event['event_type'] === 'string' ? events.inject(event, text, start, end) : noType;
}
