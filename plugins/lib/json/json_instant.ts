/** Times that are objects of seconds and nanoseconds, or several members. */
import { exactBigInt } from '../../base/instant.ts';
import { isObject, type ExactJson, type ExactObject } from '../../modules/json.ts';

/** Members that log4j and Google's libraries write as such objects, and the names of their parts. */
const INSTANTS = [
  ['instant', 'epochSecond', 'nanoOfSecond'],
  ['timestamp', 'seconds', 'nanos'],
] as const;

/** Names of dates, and of times of day beside them. */
const DAYS_AND_CLOCKS = [
  ['date', 'time'],
  ['Date', 'Time'],
  ['log_date', 'log_time'],
] as const;
const DAY = /^(?:\d{4}([-/.])\d\d\1\d\d|\d\d([-/.])\d\d\2\d{4})$/;
const CLOCK = /^\d\d?:\d\d:\d\d/;

/** The record with `{"epochSecond":1614949679,"nanoOfSecond":250123000}` as a number of nanoseconds since 1970. */
export function withInstant(record: ExactObject): ExactObject {
  for (const [name, seconds, nanos] of INSTANTS) {
    const member = record[name];
    if (typeof member !== 'object') continue;
    const ns = nanosecondsOf(member, seconds, nanos);
    if (ns !== null) return { ...record, [name]: ns };
  }
  if (!isWhole(record['timestampNanos'])) return withDay(record);
  const { timestampSeconds: whole, timestampNanos: fraction, ...others } = record;
  return isWhole(whole) && isWhole(fraction) ? { ...others, timestampSeconds: exactBigInt(whole, fraction) } : withDay(record);
}

/** The record with `{"date":"2021-03-05","time":"13:07:59"}` as one time. */
function withDay(record: ExactObject): ExactObject {
  for (const [date, time] of DAYS_AND_CLOCKS) {
    const [day, clock] = [record[date], record[time]];
    if (typeof day !== 'string' || typeof clock !== 'string' || !DAY.test(day) || !CLOCK.test(clock)) continue;
    const { [date]: _day, [time]: _clock, ...others } = record;
    return { ...others, time: `${day} ${clock}` };
  }
  return record;
}

function nanosecondsOf(member: ExactJson, seconds: string, nanos: string): bigint | null {
  if (!isObject(member) || Object.keys(member).length !== 2) return null;
  const { [seconds]: whole, [nanos]: fraction } = member;
  return isWhole(whole) && isWhole(fraction) ? exactBigInt(whole, fraction) : null;
}

function isWhole(value: ExactJson | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
