/** Messages made of an envelope and of the record in it. */
import type { LogField, LogMessage } from '../modules/table_writer.ts';

/** Facts of an envelope, as fields of the record in it. */
export interface EnvelopeHeaders {
  readonly time?: string | undefined;
  readonly severity?: number | undefined;
}

/** The record of an envelope with what is in it. */
export function wrapped(outer: LogMessage, inner: LogMessage, { time, severity }: EnvelopeHeaders): LogMessage {
  const fields: LogField[] = [...((outer.Fields ?? []) as LogField[]), ...((inner.Fields ?? []) as LogField[])];
  if (inner.Timestamp !== undefined && time !== undefined) fields.push({ name: 'envelope_time', value: time });
  if (inner.Severity !== undefined && severity !== undefined && severity !== inner.Severity)
    fields.push({ name: 'envelope_severity', value: severity });
  return { ...outer, ...inner, Fields: fields };
}
