/** Events that a server sends (https://html.spec.whatwg.org/multipage/server-sent-events.html): `data: {…}`, perhaps with a name and an id in front of it. */
import type { LogField } from '../../modules/table_writer.ts';

const LINES = /^(?:(?:event|id|retry|data):|:)/;
const LINE = /^(event|id|retry|data)?: ?(.*)$/;

export interface SentEvent {
  readonly data: string;
  /** Its name and its id. */
  readonly fields: readonly LogField[];
}

/** The event of a record; null: the record is something else, or has no data. */
export function sentEvent(record: string): SentEvent | null {
  if (!LINES.test(record)) return null;
  const data: string[] = [];
  const fields: LogField[] = [];
  for (const line of record.trimEnd().split(/\r?\n/)) {
    const found = LINE.exec(line);
    if (found === null) return null;
    const [, name, value = ''] = found;
    if (name === 'data') data.push(value);
    else if (name !== undefined && value !== '') fields.push({ name: `sse_${name}`, value });
  }
  return data.length === 0 ? null : { data: data.join('\n'), fields };
}
