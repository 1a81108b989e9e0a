/** Events of AWS CloudTrail. */
import type { ExactObject } from '../../modules/json.ts';
import { memberAt, type EventForm } from './json_events.ts';

const SERVER_FAULT = /^(?:Internal|ServiceUnavailable|ServiceException|Server\.)/;
const [ERROR, WARNING, INFO] = [3, 4, 6];

export const CLOUDTRAIL: EventForm = {
  headers: { time: 'eventTime', message: 'errorMessage' },
  whole: ['requestParameters', 'responseElements', 'serviceEventDetails', 'additionalEventData'],
  known: (event) => ({ Severity: severityOf(event) }),
};

function severityOf(event: ExactObject): number {
  const { errorCode, errorMessage } = event;
  if (typeof errorCode === 'string') return SERVER_FAULT.test(errorCode) ? ERROR : WARNING;
  return typeof errorMessage === 'string' || memberAt(event, 'responseElements', 'ConsoleLogin') === 'Failure' ? WARNING : INFO;
}
