/** Events of Suricata's EVE. */
import type { ExactObject } from '../../modules/json.ts';
import type { LogMessage } from '../../modules/table_writer.ts';
import { PINO, SeverityScale } from '../header/severity.ts';
import { memberAt, type EventForm } from './json_events.ts';

const [CRITICAL, WARNING, NOTICE, INFO] = [2, 4, 5, 6];
const TEXTS = [
  ['alert', 'signature'],
  ['anomaly', 'event'],
  ['engine', 'message'],
] as const;
const scale = new SeverityScale(PINO);

/** @param keepPayload the Payload is the record, so that it is no text of the event */
export function suricataForm(keepPayload: boolean): EventForm {
  return {
    headers: { time: 'timestamp', hostname: 'host' },
    known: (event) => {
      const message: LogMessage = { Severity: severityOf(event) };
      const words = TEXTS.map((path) => memberAt(event, ...path)).find((member) => typeof member === 'string');
      if (words !== undefined && !keepPayload) message.Payload = words;
      return message;
    },
  };
}

function severityOf(event: ExactObject): number {
  const priority = memberAt(event, 'alert', 'severity');
  if (typeof priority === 'number') return Math.min(Math.max(CRITICAL, CRITICAL + priority - 1), NOTICE);
  const level = memberAt(event, 'engine', 'level') ?? event['log_level'];
  if (typeof level === 'string' && scale.severityOf(level) >= 0) return scale.severityOf(level);
  return event['event_type'] === 'anomaly' ? WARNING : INFO;
}
