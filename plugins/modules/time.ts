/**
 * Exact times. A Timestamp of these days is a double with steps of 256 nanoseconds, so that `Timestamp / 1e6` is mostly a little below the millisecond
 * that was meant, and `new Date` cuts it off. These functions give the millisecond that was meant, and `read_integer('Timestamp')` gives all digits.
 */
import { timeArgument } from '../base/arguments.ts';
import { unitsIn } from '../base/instant.ts';

const MILLISECOND = 1e6;
/** Milliseconds that a date can be away from 1970. */
const MAX_DATE = 8.64e15;

/** The whole milliseconds since 1970 of a time, for `new Date`. */
export function milliseconds(ns: number | bigint): number {
  const time = timeArgument('milliseconds', 1, ns);
  return unitsIn(typeof ns === 'bigint' ? ns : time, MILLISECOND);
}

/** A time in UTC with milliseconds, such as `2026-11-20T10:00:05.250Z`. A time without a date, in other ages, is the nearest one that has one. */
export function isoTime(ns: number | bigint): string {
  timeArgument('isoTime', 1, ns);
  return new Date(Math.max(-MAX_DATE, Math.min(MAX_DATE, milliseconds(ns)))).toISOString();
}
