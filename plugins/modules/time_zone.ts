import { stringConfig } from './config.ts';

const MINUTE_NS = 60e9;

/**
 * Nanoseconds that the parameter tz is ahead of UTC when it is an offset such as `+02:00` or `-0530`; 0 for UTC, and for zones with a name,
 * which the service applies to the messages of a decoder.
 */
export function zoneAhead(): number {
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(stringConfig('tz', 'UTC'));
  if (offset === null) return 0;
  const [, sign, hours, minutes] = offset;
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -MINUTE_NS : MINUTE_NS);
}
