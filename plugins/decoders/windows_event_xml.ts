/**
 * Decodes events of Windows in XML: what `wevtutil qe /f:xml` and `/f:RenderedXml` print, with or without a root element, one event in a line or in many,
 * what the Event Viewer saves, and what collectors send.
 *
 * | Part | Becomes |
 * |---|---|
 * | TimeCreated | Timestamp |
 * | Level | Severity: 1 is 2, 2 is 3, 3 is 4, 4 and 0 are 6, 5 is 7; a failed audit is 4 |
 * | Message of RenderingInfo | Payload |
 * | Computer | Hostname |
 * | ProcessID | Pid |
 * | Provider | the fields Provider and Provider.Guid, and Logger |
 * | other elements of System | fields of their names; attributes are joined to them by a dot, as in Security.UserID |
 * | Data with a name | a field of that name; with data_prefix of the prefix and the name |
 * | Data without names | the field Data, a list when there are several |
 * | other elements of EventData and UserData | fields of their names |
 * | Level, Task, Opcode, Channel, Provider and Keywords of RenderingInfo | fields such as RenderingInfo.Task |
 *
 * Values `-` of data and empty ones are left out.
 */
import { AnyDate } from '../modules/any_date.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { WallClock } from '../modules/time_zone.ts';
import { KEEP_RECORD, TYPE } from '../lib/parameters.ts';
import { isAuditFailure, windowsSeverity } from '../lib/header/windows_levels.ts';
import { childOf, parseXml, type XmlElement } from '../lib/xml.ts';
import { WINDOWS_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'windows_event_xml',
  kind: 'decoder',
  stateless: true,
  summary: "Decodes events of Windows' event log in XML.",
  split: { between: /(<\/Event>)\s*(?:<\/Events>\s*)?/ },
  columns: ['EventID', 'Provider', 'Channel', 'TargetUserName'],
  recordSummary: WINDOWS_SUMMARY,
  looks: [
    {
      text: /^\s*(?:<\?xml[^>]*>\s*)?(?:<Events[^>]*>\s*)?<Event xmlns=["']https?:\/\/schemas\.microsoft\.com\/win\/2004\/08\/events\/event["']/,
      config: { type: 'windows.event' },
    },
  ],
  parameters: {
    data_prefix: { type: 'string', summary: 'Prefix of the names of data, such as EventData.', default: '' },
    type: TYPE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'a login that failed',
      in: "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Microsoft-Windows-Security-Auditing' Guid='{54849625}'/><EventID>4625</EventID><Version>0</Version><Level>0</Level><Task>12544</Task><Opcode>0</Opcode><Keywords>0x8010000000000000</Keywords><TimeCreated SystemTime='2021-03-05T13:07:59.2501234Z'/><EventRecordID>42</EventRecordID><Correlation/><Execution ProcessID='636' ThreadID='688'/><Channel>Security</Channel><Computer>box1.example.org</Computer><Security/></System><EventData><Data Name='SubjectUserName'>-</Data><Data Name='TargetUserName'>alice &amp; bob</Data><Data Name='LogonType'>3</Data></EventData></Event>",
      out: {
        Timestamp: '1614949679250123400',
        Logger: 'Microsoft-Windows-Security-Auditing',
        Severity: 4,
        Hostname: 'box1.example.org',
        Pid: 636,
        Fields: {
          Provider: 'Microsoft-Windows-Security-Auditing',
          'Provider.Guid': '{54849625}',
          EventID: 4625,
          Version: 0,
          Level: 0,
          Task: 12544,
          Opcode: 0,
          Keywords: '0x8010000000000000',
          EventRecordID: 42,
          'Execution.ThreadID': 688,
          Channel: 'Security',
          TargetUserName: 'alice & bob',
          LogonType: '3',
        },
      },
    },
    {
      title: 'an event with its message, as the first of a file',
      config: { type: 'windows', data_prefix: 'EventData.' },
      in: '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\r\n<Events>\r\n<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event">\r\n  <System>\r\n    <Provider Name="App" />\r\n    <EventID Qualifiers="16384">7</EventID>\r\n    <Level>3</Level>\r\n    <TimeCreated SystemTime="2021-03-05T13:07:59Z" />\r\n    <Computer>box1</Computer>\r\n  </System>\r\n  <EventData><Data>a</Data><Data>b</Data></EventData>\r\n  <RenderingInfo Culture="en-US"><Message>disk full&#13;&#10;free some</Message><Level>Warning</Level></RenderingInfo>\r\n</Event>',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'windows',
        Logger: 'App',
        Severity: 4,
        Hostname: 'box1',
        Payload: 'disk full\r\nfree some',
        Fields: {
          Provider: 'App',
          EventID: 7,
          'EventID.Qualifiers': 16384,
          Level: 3,
          'EventData.Data': ['a', 'b'],
          'RenderingInfo.Level': 'Warning',
        },
      },
    },
    { title: 'another document', in: '<Events><Entry/></Events>', fails: 'no event of Windows' },
    { title: 'an event that was cut off', in: '<Event><System><EventID>7</Eve', fails: 'XML whose tags do not close' },
  ],
};

/** Elements of System that become headers, and others whose values are numbers. */
const HEADERS = new Set(['TimeCreated', 'Computer']);
const NUMBERS = new Set(['EventID', 'Version', 'Level', 'Task', 'Opcode', 'EventRecordID', 'EventID.Qualifiers', 'Execution.ThreadID']);
const INTEGER = /^\d{1,15}$/;
/** The start of a list of events, which no tag closes in the first record of a file. */
const LIST_START = /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?<Events(?:\s[^>]*)?>/;
const LIST_END = /<\/Events>\s*$/;
const FAILED = 4;
const MAX_PID = 2_147_483_647;

const broken: ProcessStatus = [-1, 'XML whose tags do not close'];
const noEvent: ProcessStatus = [-1, 'no event of Windows'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const prefix = stringConfig('data_prefix');
const date = new AnyDate(() => 0, new WallClock('UTC'));
const writer = new TableWriter();

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const record = text.slice(start, end);
  const elements = parseXml(record.replace(LIST_START, '').replace(LIST_END, ''));
  if (elements === null) return broken;
  const events = elements.filter(({ name }) => name === 'Event');
  if (events.length === 0) return noEvent;
  for (const event of events) {
    const status = inject(event, record);
    if (status !== 0) return status;
  }
  return 0;
}

function inject(event: XmlElement, record: string): ProcessStatus {
  const system = childOf(event, 'System');
  if (system === undefined) return noEvent;
  const message: LogMessage = {};
  const rendering = childOf(event, 'RenderingInfo');
  const words = childOf(rendering, 'Message')?.text.trim();
  if (keepPayload) message.Payload = record;
  else if (words !== undefined && words !== '') message.Payload = words;
  if (type !== null) message.Type = type;
  setHeaders(message, system);
  message.Fields = [...systemFields(system), ...dataFields(event), ...renderedFields(rendering)];
  return writer.inject(message);
}

function setHeaders(message: LogMessage, system: XmlElement): void {
  const time = date.parse(childOf(system, 'TimeCreated')?.attributes.get('SystemTime') ?? '');
  if (time !== null) message.Timestamp = time;
  const severity = windowsSeverity(childOf(system, 'Level')?.text.trim() ?? '');
  if (isAuditFailure(childOf(system, 'Keywords')?.text.trim() ?? '')) message.Severity = FAILED;
  else if (severity >= 0) message.Severity = severity;
  const host = childOf(system, 'Computer')?.text.trim() ?? '';
  if (host !== '') message.Hostname = host;
  const provider = childOf(system, 'Provider')?.attributes.get('Name') ?? '';
  if (provider !== '') message.Logger = provider;
  const pid = childOf(system, 'Execution')?.attributes.get('ProcessID') ?? '';
  if (INTEGER.test(pid) && Number(pid) <= MAX_PID) message.Pid = Number(pid);
}

function systemFields(system: XmlElement): LogField[] {
  const fields: LogField[] = [];
  for (const { name: element, text, attributes } of system.children) {
    if (HEADERS.has(element)) continue;
    addField(fields, element, text);
    if (attributes.size === 0) continue;
    for (const [name, value] of attributes) addField(fields, attributeName(element, name), value);
  }
  return fields;
}

/** The name of the provider is its value. */
function attributeName(element: string, attribute: string): string {
  return element === 'Provider' && attribute === 'Name' ? element : `${element}.${attribute}`;
}

function addField(fields: LogField[], name: string, text: string): void {
  const value = text.trim();
  if (value === '' || name === 'Execution.ProcessID') return;
  fields.push({ name, value: NUMBERS.has(name) && INTEGER.test(value) ? Number(value) : value });
}

function dataFields(event: XmlElement): LogField[] {
  const named: LogField[] = [];
  const plain: string[] = [];
  const add = (name: string, value: string): void => {
    if (value !== '' && value !== '-') named.push({ name: prefix + name, value });
  };
  const visit = ({ name, attributes, children, text }: XmlElement): void => {
    const own = attributes.get('Name');
    if (children.length > 0) children.forEach(visit);
    else if (name !== 'Data' || own !== undefined) add(own ?? name, text.trim());
    else if (text.trim() !== '') plain.push(text.trim());
  };
  for (const name of ['EventData', 'UserData', 'ProcessingErrorData']) childOf(event, name)?.children.forEach(visit);
  if (plain.length > 0) named.push({ name: `${prefix}Data`, value: plain.length === 1 ? (plain[0] as string) : plain });
  return named;
}

function renderedFields(rendering: XmlElement | undefined): LogField[] {
  return (rendering?.children ?? []).flatMap((element): LogField[] => {
    if (element.name === 'Message') return [];
    const parts = element.children.length > 0 ? element.children.map(({ text }) => text.trim()).filter(Boolean) : [element.text.trim()];
    return parts.length === 0 || parts[0] === ''
      ? []
      : [{ name: `RenderingInfo.${element.name}`, value: parts.length === 1 ? (parts[0] as string) : parts }];
  });
}
