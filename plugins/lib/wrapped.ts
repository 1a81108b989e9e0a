/** Messages made of an envelope and of the record in it. */
import { IsoTimes } from './time/iso_time.ts';
import type { LogField, LogMessage } from '../modules/table_writer.ts';

/** More fields of an envelope than these are compared by a set of names. */
const FEW = 4;
/** Writes the times of envelopes. */
export const isoTimes = new IsoTimes();

/** Facts of an envelope, as they were written. */
export interface EnvelopeHeaders {
  readonly time?: string | undefined;
}

/**
 * The record in an envelope, completed with what is known of the envelope. Headers of the record win: those of the envelope are the fields envelope_time,
 * envelope_severity, envelope_hostname, envelope_logger and envelope_pid then, and a field whose name the record has as well gets the same prefix.
 */
export function wrapped(outer: LogMessage, inner: LogMessage, { time }: EnvelopeHeaders = {}): LogMessage {
  const innerFields = inner.Fields ?? [];
  const fields = [...apart(outer.Fields ?? [], innerFields), ...innerFields];
  if (inner.Timestamp !== undefined) {
    const written = time ?? (outer.Timestamp === undefined ? undefined : isoTimes.of(outer.Timestamp));
    if (written !== undefined) fields.push({ name: 'envelope_time', value: written });
  }
  add(fields, 'envelope_severity', outer.Severity, inner.Severity);
  add(fields, 'envelope_hostname', outer.Hostname, inner.Hostname);
  add(fields, 'envelope_logger', outer.Logger, inner.Logger);
  add(fields, 'envelope_pid', outer.Pid, inner.Pid);
  complete(inner, outer);
  inner.Fields = fields;
  return inner;
}

/** Sets headers that a record does not have. One by one: objects that are spread are copied slowly. */
export function complete(inner: LogMessage, { Timestamp, Type, Logger, Severity, Pid, Hostname }: LogMessage): void {
  if (inner.Timestamp === undefined && Timestamp !== undefined) inner.Timestamp = Timestamp;
  if (inner.Type === undefined && Type !== undefined) inner.Type = Type;
  if (inner.Logger === undefined && Logger !== undefined) inner.Logger = Logger;
  if (inner.Severity === undefined && Severity !== undefined) inner.Severity = Severity;
  if (inner.Pid === undefined && Pid !== undefined) inner.Pid = Pid;
  if (inner.Hostname === undefined && Hostname !== undefined) inner.Hostname = Hostname;
}

/** The fields of an envelope under names that the record in it does not have. */
function apart(outer: readonly LogField[], inner: readonly LogField[]): readonly LogField[] {
  if (outer.length === 0 || inner.length === 0) return outer;
  if (outer.length > FEW) {
    const names = new Set(inner.map(({ name }) => name));
    return outer.map((field) => (names.has(field.name) ? renamed(field) : field));
  }
  return outer.map((field) => (inner.some(({ name }) => name === field.name) ? renamed(field) : field));
}

const renamed = (field: LogField): LogField => ({ ...field, name: `envelope_${field.name}` });

function add(fields: LogField[], name: string, outer: string | number | undefined, inner: string | number | undefined): void {
  if (outer !== undefined && inner !== undefined && outer !== inner) fields.push({ name, value: outer });
}
