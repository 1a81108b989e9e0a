/** Messages of lines of syslog, with fields that have no columns: structured data and others. */
import type { LogField, LogMessage } from '../../modules/table_writer.ts';
import { structuredParameters } from './structured_data.ts';
import type { Span, SyslogLine } from './syslog_line.ts';

/** The message of the line of `text` that was read last, with further fields. Its severity is that of the priority. */
export function syslogRecord(line: SyslogLine, text: string, further: readonly LogField[] = []): LogMessage {
  const fields: LogField[] = [];
  if (!line.program.empty) fields.push({ name: 'programname', value: cut(text, line.program) });
  if (line.priority >= 0) fields.push({ name: 'syslogfacility', value: Math.floor(line.priority / 8) });
  if (!line.process.empty) fields.push({ name: 'procid', value: cut(text, line.process) });
  if (!line.messageId.empty) fields.push({ name: 'msgid', value: cut(text, line.messageId) });
  if (!line.data.empty) for (const [name, value] of structuredParameters(cut(text, line.data))) fields.push({ name, value });
  for (const field of further) fields.push(field);

  const message: LogMessage = { Payload: cut(text, line.message), Fields: fields };
  if (line.ns !== null) message.Timestamp = line.ns;
  if (!line.host.empty) message.Hostname = cut(text, line.host);
  if (line.priority >= 0) message.Severity = line.priority % 8;
  if (line.pid >= 0) message.Pid = line.pid;
  return message;
}

function cut(text: string, { from, to }: Span): string {
  return text.slice(from, to);
}
