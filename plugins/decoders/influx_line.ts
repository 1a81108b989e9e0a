/**
 * Decodes InfluxDB's line protocol: `weather,city=Bern temperature=21.5,station=3i,note="dry" 1614949679250000000`.
 *
 * | Part | Becomes |
 * |---|---|
 * | measurement | the field measurement |
 * | tags | fields of their names with texts |
 * | fields: `1`, `1.5e3`, `1i`, `1u`, `true`, `"text"` | fields of their names with numbers, booleans and texts |
 * | timestamp, in the unit of timestamp_precision | Timestamp; without one it is the time at which the line was read |
 *
 * Integers beyond 2^53 are kept exactly: as integers, and as texts when they have no place in 64 bits with a sign. Commas, blanks and equals signs in
 * names and tags stand behind a backslash, quotes and backslashes in texts, too. Comments (`# …`) are passed on undecoded.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { parsePoint } from '../lib/influx_point.ts';
import { KEEP_LINE, TYPE } from '../lib/parameters.ts';
import { TableWriter, type LogMessage } from '../modules/table_writer.ts';

export const meta: PluginMeta = {
  name: 'influx_line',
  kind: 'decoder',
  comments: true,
  stateless: true,
  summary: "Decodes InfluxDB's line protocol.",
  columns: ['measurement'],
  recordSummary: '{measurement} {*}',
  looks: [
    {
      lines:
        /^(?:[^\s,="{[\\]|\\.)(?:[^\s,=\\]|\\.)*(?:,(?:[^\s,=\\]|\\.)+=(?:[^\s,=\\]|\\.)+)* (?:[^\s,=\\]|\\.)+=(?:"(?:[^"\\]|\\.)*"|[^\s,"]+)(?:,(?:[^\s,=\\]|\\.)+=(?:"(?:[^"\\]|\\.)*"|[^\s,"]+))* \d{10,19}$/,
      least: 0.9,
      rank: 3,
    },
  ],
  parameters: {
    timestamp_precision: {
      type: 'string',
      summary: 'Unit of the timestamps: ns, us, ms or s.',
      default: 'ns',
      values: ['ns', 'us', 'ms', 's'],
    },
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'a point with all types',
      in: 'weather\\ map,city=St\\ Gallen,zone=a\\=b temperature=21.5,station=3i,count=4u,dry=t,note="say \\"hi\\", a=b" 1614949679250000001\n',
      out: {
        Timestamp: '1614949679250000001',
        Fields: {
          measurement: 'weather map',
          city: 'St Gallen',
          zone: 'a=b',
          temperature: 21.5,
          station: 3,
          count: 4,
          dry: true,
          note: 'say "hi", a=b',
        },
      },
    },
    {
      title: 'seconds, and an integer that has no place in 64 bits with a sign',
      config: { timestamp_precision: 's', type: 'metrics' },
      in: 'disk used=9007199254740991i,total=18446744073709551615u 1614949679',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'metrics',
        Fields: {
          measurement: 'disk',
          used: 9007199254740991,
          total: '18446744073709551615',
        },
      },
    },
    {
      title: 'a line without fields',
      in: 'weather,city=Bern 1614949679250000000',
      fails: 'no value behind weather\'s field "1614949679250000000"',
    },
    { title: 'a text that does not end', in: 'weather note="dry', fails: 'a text that does not end' },
  ],
};

const UNITS: Readonly<Record<string, bigint>> = { ns: 1n, us: 1_000n, ms: 1_000_000n, s: 1_000_000_000n };
const unit = UNITS[stringConfig('timestamp_precision')] as bigint;
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const writer = new TableWriter();

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = text.slice(start, withoutLineEnd(text, start, end));
  if (line.startsWith('#') || line.trim() === '') return 0;
  const point = parsePoint(line);
  if (typeof point === 'string') return [-1, point];

  const message: LogMessage = { Fields: point.fields };
  if (point.time !== null) message.Timestamp = point.time * unit;
  if (type !== null) message.Type = type;
  if (keepPayload) message.Payload = line;
  return writer.inject(message);
}
