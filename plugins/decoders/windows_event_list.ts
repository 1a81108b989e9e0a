/**
 * Decodes Windows' events as PowerShell shows them in lists: `Get-WinEvent … | Format-List` and `Get-EventLog … | Format-List`, with a name and a
 * value in each line and an empty line between two events.
 *
 * | Name | Becomes |
 * |---|---|
 * | TimeCreated, TimeGenerated; they are in the zone of tz | Timestamp |
 * | LevelDisplayName, Level, EntryType | Severity |
 * | Message, of one or several lines | Payload, or the whole record with payload_keep |
 * | MachineName | Hostname |
 * | ProcessId | Pid |
 * | ProviderName, Source | Logger and the field Provider |
 * | Id, EventID | the field EventID, a number |
 * | all others | fields of their names; empty ones and lists `{…}` are left out |
 *
 * Dates with AM or PM have the month first, others the day.
 */
import { withoutLineEnd } from '../base/scan.ts';
import { AnyDate } from '../modules/any_date.ts';
import { TableWriter } from '../modules/table_writer.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { eventColumns, plainDate } from '../lib/windows_columns.ts';
import { WindowsEvent } from '../lib/windows_event.ts';
import { WINDOWS_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'windows_event_list',
  kind: 'decoder',
  stateless: true,
  summary: "Decodes Windows' events in lists, as PowerShell shows them.",
  split: { between: /\r?\n(?:\r?\n)+/ },
  columns: ['EventID', 'Provider', 'LogName'],
  recordSummary: WINDOWS_SUMMARY,
  looks: [
    {
      text: [
        /^\s*[A-Z]\w+ *: [^\n]*\n(?:[A-Z]\w+ *:| {2})/,
        /^(?:TimeCreated|TimeGenerated) *: \d/m,
        /^(?:Id|EventID|InstanceId) *: \d+\r?$/m,
        /^(?:ProviderName|Source) *: \S/m,
      ],
      config: { type: 'windows.event' },
    },
  ],
  parameters: {
    tz: ZONE,
    type: TYPE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'an event of Get-WinEvent, with a message of two lines',
      in: 'TimeCreated  : 3/5/2021 1:07:59 PM\r\nProviderName : Service Control Manager\r\nId           : 7036\r\nMessage      : The Print Spooler service entered\r\n               the running state.',
      out: {
        Timestamp: '1614949679000000000',
        Logger: 'Service Control Manager',
        Payload: 'The Print Spooler service entered\nthe running state.',
        Fields: { Provider: 'Service Control Manager', EventID: 7036 },
      },
    },
    {
      title: 'an event of Get-EventLog',
      config: { tz: '+01:00', type: 'windows' },
      in: 'Index              : 42\nEntryType          : Error\nInstanceId         : 3221232483\nMessage            : The service terminated.\nCategory           : (0)\nReplacementStrings : {a, b}\nSource             : Disk\nTimeGenerated      : 05.03.2021 14:07:59\nTimeWritten        : 05.03.2021 14:07:59\nUserName           : ',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'windows',
        Severity: 3,
        Logger: 'Disk',
        Payload: 'The service terminated.',
        Fields: {
          Index: '42',
          InstanceId: '3221232483',
          Category: '(0)',
          Provider: 'Disk',
          TimeWritten: '05.03.2021 14:07:59',
        },
      },
    },
    { title: 'another list', in: 'Name   : box1\nStatus : Running', fails: 'no time of an event' },
  ],
};

/** A name and the beginning of its value. */
const PART = /^([A-Z]\w*) *: ?(.*)$/s;
/** A list, of which PowerShell shows the first elements. */
const LIST = /^\{.*\}$/s;

const noTime: ProcessStatus = [-1, 'no time of an event'];
const date = new AnyDate(() => read_message('Timestamp') ?? 0, configuredClock());
const event = new WindowsEvent((text) => date.parse(plainDate(text)));
const writer = new TableWriter();

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const record = text.slice(start, withoutLineEnd(text, start, end));
  const parts = partsOf(record);
  const columns = eventColumns(parts.map(({ name }) => name));
  event.begin();
  for (const [i, { name, lines }] of parts.entries()) {
    const value = lines.join('\n').trim();
    if (!LIST.test(value)) event.add(columns[i] ?? null, name, value);
  }
  const message = event.message(record);
  return message.Timestamp === undefined ? noTime : writer.inject(message);
}

/** The values by their names; lines of a value behind its first are indented. */
function partsOf(record: string): { name: string; lines: string[] }[] {
  const parts: { name: string; lines: string[] }[] = [];
  for (const line of record.split(/\r?\n/)) {
    const [, name, value = ''] = PART.exec(line) ?? [];
    if (name !== undefined) parts.push({ name, lines: [value] });
    else parts.at(-1)?.lines.push(line.trim());
  }
  return parts;
}
