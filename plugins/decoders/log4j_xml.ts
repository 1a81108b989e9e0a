/**
 * Decodes events of logging libraries in XML: those of log4j and log4net, of Log4j 2, and of java.util.logging.
 *
 * | Part | Becomes |
 * |---|---|
 * | timestamp, timeMillis, Instant, millis with nanos, date; without a zone it is in that of tz | Timestamp |
 * | level | Severity |
 * | logger, loggerName | Logger |
 * | message and, on the lines behind it, the exception with its stack | Payload, or the whole record with payload_keep |
 * | properties and the context map | fields of their names |
 * | file and line | the fields source and source_line |
 * | NDC, thread, class, method and others | fields of their names |
 */
import { AnyDate } from '../modules/any_date.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { severityOfWord } from '../lib/header/severity.ts';
import { childOf, parseXml, type XmlElement } from '../lib/xml.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'log4j_xml',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes events of log4j, log4net, Log4j 2 and java.util.logging in XML.',
  split: { between: /(<\/(?:log4(?:j|net):event|Event|record)>)\s*(?:<\/(?:log4(?:j|net):eventSet|Events|log)>\s*)?/ },
  columns: ['thread', 'source'],
  recordSummary: PROGRAM_SUMMARY,
  looks: [
    { text: /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?(?:<(?:log4(?:j|net):eventSet|Events|log)[^>]*>\s*)?<log4(?:j|net):event\s/ },
    { text: /^\s*(?:<\?xml[^>]*>\s*)?(?:<Events[^>]*>\s*)?<Event\s[^>]*(?:logging\.apache\.org\/log4j|\bloggerName=)/ },
    { text: /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE log [^>]*>\s*)?(?:<log>\s*)?<record>\s*<date>/ },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'log4j',
      in: '<log4j:event logger="org.example.Shop" timestamp="1614949679250" level="ERROR" thread="main">\n<log4j:message><![CDATA[no connection]]></log4j:message>\n<log4j:throwable><![CDATA[java.io.IOException: no route\n\tat org.example.Shop.sell(Shop.java:7)\n]]></log4j:throwable>\n<log4j:locationInfo class="org.example.Shop" method="sell" file="Shop.java" line="7"/>\n</log4j:event>',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 3,
        Logger: 'org.example.Shop',
        Payload: 'no connection\njava.io.IOException: no route\n\tat org.example.Shop.sell(Shop.java:7)',
        Fields: { thread: 'main', class: 'org.example.Shop', method: 'sell', source: 'Shop.java', source_line: 7 },
      },
    },
    {
      title: 'log4net',
      config: { type: 'till' },
      in: '<log4net:event logger="Shop.Till" timestamp="2021-03-05T14:07:59.2501234+01:00" level="WARN" thread="7" domain="Shop.exe" username="BOX1\\alice"><log4net:message>slow &lt;3&gt;</log4net:message><log4net:properties><log4net:data name="order" value="42" /></log4net:properties></log4net:event>',
      out: {
        Timestamp: '1614949679250123400',
        Type: 'till',
        Severity: 4,
        Logger: 'Shop.Till',
        Payload: 'slow <3>',
        Fields: { thread: '7', domain: 'Shop.exe', username: 'BOX1\\alice', order: '42' },
      },
    },
    {
      title: 'Log4j 2, as the first event of a file',
      in: '<?xml version="1.0" encoding="UTF-8"?>\n<Events xmlns="http://logging.apache.org/log4j/2.0/events">\n\n<Event thread="main" level="INFO" loggerName="org.example.Shop">\n  <Instant epochSecond="1614949679" nanoOfSecond="250123000"/>\n  <Message>open</Message>\n  <ContextMap>\n    <item key="user" value="alice"/>\n  </ContextMap>\n</Event>',
      out: {
        Timestamp: '1614949679250123000',
        Severity: 6,
        Logger: 'org.example.Shop',
        Payload: 'open',
        Fields: { thread: 'main', user: 'alice' },
      },
    },
    {
      title: 'java.util.logging',
      in: '<record>\n  <date>2021-03-05T13:07:59.250123Z</date>\n  <millis>1614949679250</millis>\n  <nanos>123000</nanos>\n  <sequence>0</sequence>\n  <logger>org.example.Shop</logger>\n  <level>SEVERE</level>\n  <thread>1</thread>\n  <message>no connection</message>\n  <exception>\n    <message>java.io.IOException: no route</message>\n    <frame>\n      <class>org.example.Shop</class>\n      <method>sell</method>\n      <line>7</line>\n    </frame>\n  </exception>\n</record>',
      out: {
        Timestamp: '1614949679250123000',
        Severity: 3,
        Logger: 'org.example.Shop',
        Payload: 'no connection\njava.io.IOException: no route\n\tat org.example.Shop.sell(7)',
        Fields: { sequence: '0', thread: '1' },
      },
    },
    { title: 'another document', in: '<Events><Entry/></Events>', fails: 'no event of a logging library' },
    { title: 'an event that was cut off', in: '<log4j:event level="INFO"><log4j:message>ope', fails: 'XML whose tags do not close' },
  ],
};

/** Lines in front of the first event and behind the last one. */
const LIST_START = /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?(?:<(?:log4(?:j|net):eventSet|Events|log)(?:\s[^>]*)?>)?/;
const LIST_END = /<\/(?:log4(?:j|net):eventSet|Events|log)>\s*$/;
const EVENTS = new Set(['event', 'Event', 'record']);
const TIMES = ['timestamp', 'timeMillis', 'date'];
const LOGGERS = ['logger', 'loggerName'];
const MESSAGES = ['message', 'Message'];
const EXCEPTIONS = ['throwable', 'exception', 'Thrown'];
/** Parts that are no fields of their names. */
const USED = new Set([...TIMES, ...LOGGERS, ...MESSAGES, ...EXCEPTIONS, 'level', 'millis', 'nanos', 'Instant', 'xmlns']);
const FIELD_NAMES: Readonly<Record<string, string>> = { file: 'source', line: 'source_line' };
const NUMBER = /^\d{1,15}$/;
const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;

const broken: ProcessStatus = [-1, 'XML whose tags do not close'];
const noEvent: ProcessStatus = [-1, 'no event of a logging library'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const date = new AnyDate(() => read_message('Timestamp') ?? 0, configuredClock());
const writer = new TableWriter();

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const record = text.slice(start, withoutLineEnd(text, start, end));
  const elements = parseXml(record.replace(LIST_START, '').replace(LIST_END, ''));
  if (elements === null) return broken;
  const event = elements.find(({ name }) => EVENTS.has(name));
  if (event === undefined || (valueOf(event, 'level') === '' && timeOf(event) === null)) return noEvent;
  return writer.inject(messageOf(event, record));
}

function messageOf(event: XmlElement, record: string): LogMessage {
  const message: LogMessage = {};
  const time = timeOf(event);
  const severity = severityOfWord(valueOf(event, 'level'));
  const logger = valueOf(event, ...LOGGERS);
  const words = [valueOf(event, ...MESSAGES), ...exceptionsOf(event)].filter((part) => part !== '').join('\n');
  if (time !== null) message.Timestamp = time;
  if (type !== null) message.Type = type;
  if (severity >= 0) message.Severity = severity;
  if (logger !== '') message.Logger = logger;
  if (keepPayload || words !== '') message.Payload = keepPayload ? record : words;
  const fields = fieldsOf(event);
  if (severity < 0) addField(fields, 'level', valueOf(event, 'level'));
  return { ...message, Fields: fields };
}

/** The attribute or the text of the element with the first of these names that is there. */
function valueOf(element: XmlElement, ...names: readonly string[]): string {
  for (const name of names) {
    const value = element.attributes.get(name) ?? childOf(element, name)?.text;
    if (value !== undefined) return value.trim();
  }
  return '';
}

/** Nanoseconds since 1970. */
function timeOf(event: XmlElement): bigint | null {
  const instant = childOf(event, 'Instant');
  if (instant !== undefined) return sumOf(valueOf(instant, 'epochSecond'), SECOND, valueOf(instant, 'nanoOfSecond'));
  const exact = sumOf(valueOf(event, 'millis'), MILLISECOND, valueOf(event, 'nanos'));
  return exact ?? date.parse(valueOf(event, ...TIMES));
}

function sumOf(count: string, unit: bigint, nanoseconds: string): bigint | null {
  if (!NUMBER.test(count)) return null;
  return BigInt(count) * unit + (NUMBER.test(nanoseconds) ? BigInt(nanoseconds) : 0n);
}

/** Exceptions as Java prints them. */
function exceptionsOf(event: XmlElement): string[] {
  return event.children.filter(({ name }) => EXCEPTIONS.includes(name)).map(printed);
}

function printed(exception: XmlElement): string {
  if (exception.text.trim() !== '') return exception.text.trim();
  const head = [valueOf(exception, 'name'), valueOf(exception, 'message')].filter((part) => part !== '').join(': ');
  return [head, ...framesOf(exception)].join('\n');
}

/** The lines of a stack, at any depth. */
function framesOf({ children }: XmlElement): string[] {
  return children.flatMap((child) => {
    const method = valueOf(child, 'method');
    if (method === '') return framesOf(child);
    const place = [valueOf(child, 'file'), valueOf(child, 'line')].filter((part) => part !== '').join(':');
    return [`\tat ${valueOf(child, 'class')}.${method}(${place})`];
  });
}

function fieldsOf(event: XmlElement): LogField[] {
  const fields: LogField[] = [];
  for (const [name, value] of event.attributes) addPart(fields, name, value);
  for (const { name, text, attributes, children } of event.children) {
    if (USED.has(name)) continue;
    addPart(fields, name, text);
    for (const [own, value] of attributes) addPart(fields, own, value);
    // Properties have names and values, items of a context map have keys.
    for (const child of children) addField(fields, valueOf(child, 'name', 'key'), valueOf(child, 'value'));
  }
  return fields;
}

function addPart(fields: LogField[], name: string, value: string): void {
  if (!USED.has(name)) addField(fields, FIELD_NAMES[name] ?? name, value);
}

function addField(fields: LogField[], name: string, text: string): void {
  const value = text.trim();
  if (name === '' || value === '' || value === '?') return;
  fields.push({ name, value: name === 'source_line' && NUMBER.test(value) ? Number(value) : value });
}
