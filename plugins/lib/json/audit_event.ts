/** Audit events of Kubernetes' API server. */
import { AnyDate } from '../../modules/any_date.ts';
import type { ExactObject } from '../../modules/json.ts';
import { configuredClock } from '../../modules/time_zone.ts';
import { memberAt, type EventForm } from './json_events.ts';

const [CRITICAL, ERROR, WARNING, INFO] = [2, 3, 4, 6];

interface AuditForm extends EventForm {
  /** The event with how long it took, and without what all events say. */
  readonly refined: (event: ExactObject) => ExactObject;
}

/** @param now when the event was read, in nanoseconds since 1970 */
export function auditForm(now: () => number): AuditForm {
  const date = new AnyDate(now, configuredClock());
  const timeOf = (value: ExactObject[string] | undefined): bigint | null => (typeof value === 'string' ? date.parse(value) : null);
  return {
    headers: { time: 'stageTimestamp, requestReceivedTimestamp, timestamp', message: 'responseStatus.message' },
    whole: ['requestObject', 'responseObject'],
    units: { duration: 's' },
    known: (event) => ({ Severity: severityOf(event) }),
    refined: ({ kind: _kind, apiVersion: _version, ...event }) => {
      const [from, to] = [timeOf(event['requestReceivedTimestamp']), timeOf(event['stageTimestamp'])];
      return from === null || to === null ? event : { ...event, duration: Number(to - from) / 1e9 };
    },
  };
}

function severityOf(event: ExactObject): number {
  if (event['stage'] === 'Panic') return CRITICAL;
  const code = memberAt(event, 'responseStatus', 'code');
  if (typeof code !== 'number' || code < 400) return INFO;
  return code >= 500 ? ERROR : WARNING;
}
