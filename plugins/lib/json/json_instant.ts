/** Times that are objects of seconds and nanoseconds. */
import { exactBigInt } from '../../base/instant.ts';
import { isObject, type ExactJson, type ExactObject } from '../../modules/json.ts';

/** Members that log4j and Google's libraries write as such objects, and the names of their parts. */
const INSTANTS = [
  ['instant', 'epochSecond', 'nanoOfSecond'],
  ['timestamp', 'seconds', 'nanos'],
] as const;

/** The record with `{"epochSecond":1614949679,"nanoOfSecond":250123000}` as a number of nanoseconds since 1970. */
export function withInstant(record: ExactObject): ExactObject {
  for (const [name, seconds, nanos] of INSTANTS) {
    const member = record[name];
    if (typeof member !== 'object') continue;
    const ns = nanosecondsOf(member, seconds, nanos);
    if (ns !== null) return { ...record, [name]: ns };
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
