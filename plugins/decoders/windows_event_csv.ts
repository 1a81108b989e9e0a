/**
 * Decodes Windows' events in CSV: what the Event Viewer saves, and what `Get-WinEvent` and `Get-EventLog` give to `Export-Csv`, with messages of several
 * lines.
 *
 * | Column | Becomes |
 * |---|---|
 * | Date and Time, TimeCreated, TimeGenerated; without a zone it is in that of tz | Timestamp |
 * | LevelDisplayName, Level, EntryType | Severity; a failed audit in Keywords is 4 |
 * | Message, and the Event Viewer's last column, which has no name | Payload, or the whole record with payload_keep |
 * | MachineName, Computer | Hostname |
 * | ProcessId | Pid |
 * | Source, ProviderName | Logger and the field Provider |
 * | Event ID, EventID, Id | the field EventID, a number |
 * | all others | fields of their names; empty ones and names of .NET's types are left out |
 *
 * The names come from the first record or the parameter header, also in German, French, Spanish and Italian; five columns of another language are those of the
 * Event Viewer. To continue a file after a restart, the decoder needs the parameter or preserved data. Dates with AM or PM have the month first, others the day;
 * time_format says otherwise.
 */
import { AnyDate } from '../modules/any_date.ts';
import { stringConfig } from '../modules/config.ts';
import { TableWriter, type LogMessage } from '../modules/table_writer.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { nanoseconds } from '../base/instant.ts';
import { FormatDate } from '../base/strftime.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { CsvRecord } from '../lib/csv_record.ts';
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { eventColumns, plainDate, type EventColumn } from '../lib/windows_columns.ts';
import { WindowsEvent } from '../lib/windows_event.ts';
import { WINDOWS_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'windows_event_csv',
  kind: 'decoder',
  comments: true,
  summary: "Decodes events of Windows' event log in CSV.",
  split: { csv: 'delimiter' },
  columns: ['EventID', 'Provider', 'LogName'],
  recordSummary: WINDOWS_SUMMARY,
  looks: [
    {
      text: /^(?:#TYPE [^\n]*\n)?(?:Level|Keywords|Ebene|Schlüsselwörter|Niveau|Mots clés|Nivel|Palabras clave|Livello|Parole chiave)(?<delimiter>[,;\t])(?:Date and Time|Datum und Uhrzeit|Date et heure|Fecha y hora|Data e ora)[,;\t]/,
      config: { delimiter: '{delimiter}', type: 'windows.event' },
    },
    {
      text: [
        /^(?:#TYPE [^\n]*\n)?"(?:\w+"[,;\t]")*(?:TimeCreated|TimeGenerated)"[,;\t\r\n]/,
        /^(?:#TYPE [^\n]*\n)?"[^\n]*"(?:LevelDisplayName|EntryType|ProviderName|Message|Id)"/,
      ],
      config: [
        { delimiter: ',', type: 'windows.event' },
        { delimiter: ';', type: 'windows.event' },
        { delimiter: 'tab', type: 'windows.event' },
      ],
    },
  ],
  parameters: {
    header: { type: 'string', summary: 'The header; the first record when it is empty.', default: '' },
    delimiter: { type: 'string', summary: 'The separator of values: one character, or tab.', default: ',' },
    time_format: { type: 'string', summary: "Form of the times, in strftime's specifiers; all usual forms when it is empty.", default: '' },
    tz: ZONE,
    type: TYPE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'a record of the Event Viewer',
      config: { header: 'Level,Date and Time,Source,Event ID,Task Category' },
      in: 'Warning,3/5/2021 1:07:59 PM,Disk,153,None,"The IO operation was retried,\r\nsee ""Disk 0""."',
      out: {
        Timestamp: '1614949679000000000',
        Severity: 4,
        Logger: 'Disk',
        Payload: 'The IO operation was retried,\r\nsee "Disk 0".',
        Fields: { Provider: 'Disk', EventID: 153, Task: 'None' },
      },
    },
    {
      title: 'a record of Get-WinEvent',
      config: {
        header:
          '"Message","Id","Level","Keywords","ProviderName","LogName","ProcessId","MachineName","TimeCreated","LevelDisplayName","Properties"',
        tz: '+01:00',
        type: 'windows',
      },
      in: '"An account failed to log on.","4625","0","-9218868437227405312","Microsoft-Windows-Security-Auditing","Security","636","box1","05.03.2021 14:07:59","Information","System.Collections.Generic.List`1[X]"',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'windows',
        Severity: 4,
        Logger: 'Microsoft-Windows-Security-Auditing',
        Hostname: 'box1',
        Pid: 636,
        Payload: 'An account failed to log on.',
        Fields: {
          EventID: 4625,
          Level: '0',
          Keywords: '-9218868437227405312',
          Provider: 'Microsoft-Windows-Security-Auditing',
          LogName: 'Security',
        },
      },
    },
    {
      title: 'too few values',
      config: { header: 'Level,Date and Time,Source,Event ID,Task Category' },
      in: 'Warning,x',
      fails: '2 values for 5 columns',
    },
    { title: 'a header of something else', in: 'name,size', fails: 'no column is a time of Windows' },
  ],
};

declare global {
  /** The header that the first record was, when none is given: a global, so that it is part of preserved data. */
  var _WINDOWS_EVENT_HEADER: string;
}

const BYTE_ORDER_MARK = 0xfeff;
const TYPE_LINE = '#TYPE ';
const DELIMITERS: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t' };

globalThis._WINDOWS_EVENT_HEADER = '';
const given = stringConfig('header');
const delimiter = stringConfig('delimiter');
const record = new CsvRecord(DELIMITERS[delimiter] ?? delimiter);
const clock = configuredClock();
const date = new AnyDate(() => read_message('Timestamp') ?? 0, clock);
const timeFormat = stringConfig('time_format');
const format = timeFormat === '' ? null : new FormatDate(timeFormat);
const event = new WindowsEvent(timeOf);
const writer = new TableWriter();
/** The header from which the columns were made. */
let header = '';
let names: readonly string[] = [];
let columns: readonly (EventColumn | null)[] = [];
if (given !== '') {
  const refused = setHeader(given);
  if (refused !== null) throw new TypeError(`header: ${refused}`);
}

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const at = start < end && text.charCodeAt(start) === BYTE_ORDER_MARK ? start + 1 : start;
  const line = text.slice(at, withoutLineEnd(text, at, end));
  if (line.startsWith(TYPE_LINE) || (header !== '' && line === header)) return 0;
  if (given === '' && header !== globalThis._WINDOWS_EVENT_HEADER) setHeader(globalThis._WINDOWS_EVENT_HEADER);
  if (header === '') {
    const refused = setHeader(line);
    if (refused === null) globalThis._WINDOWS_EVENT_HEADER = header;
    return refused === null ? 0 : [-1, refused];
  }
  if (!record.read(line, 0, line.length)) return [-1, record.error];
  if (record.count !== names.length && record.count !== columns.length) return [-1, `${record.count} values for ${names.length} columns`];
  return writer.inject(messageOf(line));
}

/** Takes the names of the columns. Returns why they are none of events, or null. */
function setHeader(text: string): string | null {
  if (!record.read(text, 0, text.length)) return record.error;
  const found = Array.from({ length: record.count }, (_, i) => record.value(text, i).trim());
  const known = eventColumns(found);
  if (!known.includes('time')) return 'no column is a time of Windows';
  names = found;
  columns = known;
  header = text;
  return null;
}

function messageOf(line: string): LogMessage {
  event.begin();
  for (let i = 0; i < record.count; i++) event.add(columns[i] ?? null, names[i] ?? 'Message', record.value(line, i).trim());
  return event.message(line);
}

function timeOf(text: string): bigint | null {
  if (format === null) return date.parse(plainDate(text));
  if (format.read(text, 0, text.length) !== text.length) return null;
  return BigInt(format.zoned ? nanoseconds(format) : clock.timeOf(format));
}
