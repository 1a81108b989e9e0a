/** Header in front of a record that syslog carries: priority, date, host and program. */
import { AnyDate } from '../../modules/any_date.ts';
import { configuredClock } from '../../modules/time_zone.ts';
import type { LogField, LogMessage } from '../../modules/table_writer.ts';
import { SyslogLine } from './syslog_line.ts';

/** Reads heads of syslog, by the parameter tz. */
export class SyslogHead {
  readonly #line = new SyslogLine(now, configuredClock());

  /** Sets the headers that the text, a line of syslog without its message, names, and returns further fields. Another text is the field prefix. */
  read(head: string, message: LogMessage): LogField[] {
    const text = head.trimEnd();
    if (text === '') return [];
    const line = this.#line;
    if (!line.parse(text, 0, text.length)) return [{ name: 'prefix', value: text }];
    const fields: LogField[] = [];
    if (line.priority >= 0) {
      message.Severity = line.priority % 8;
      fields.push({ name: 'syslogfacility', value: Math.floor(line.priority / 8) });
    }
    if (line.ns !== null) message.Timestamp = line.ns;
    if (!line.host.empty) message.Hostname = text.slice(line.host.from, line.host.to);
    if (line.pid >= 0) message.Pid = line.pid;
    if (!line.program.empty) fields.unshift({ name: 'programname', value: text.slice(line.program.from, line.program.to) });
    return fields;
  }
}

/** `Mar 05 2021 13:07:59`: other forms of dates have the year elsewhere. */
const YEAR_THIRD = /^([A-Z][a-z]{2}) +(\d{1,2}) (\d{4}) /;

/** Reads the times of events, in nanoseconds since 1970, by the parameter tz. */
export function eventTimes(): (text: string) => bigint | null {
  const date = new AnyDate(now, configuredClock());
  return (text) => date.parse(text.replace(YEAR_THIRD, '$2 $1 $3 '));
}

/** Time at which the record was read, in nanoseconds since 1970. */
export function now(): number {
  return read_message('Timestamp') ?? 0;
}
