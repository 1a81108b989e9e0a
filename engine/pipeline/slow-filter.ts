import type { CallTimes } from '../sandbox/contract/types.ts';

/** Limits at which a filter loaded by a manager is ended because it is slow. */
export interface SlowRule {
  /** Longest average of process_message, in nanoseconds. */
  readonly maxProcessDuration: number;
  /** Most batches that may wait for a filter. */
  readonly capacity: number;
  /** Tells, for a filter with a disk buffer, whether that is nearly full, which replaces the test of `capacity`. */
  readonly isNearlyFull?: (() => boolean) | undefined;
}

/** Matching may take one part in so many of the limit for processing. */
const MATCH_SHARE = 5;

/** Tells whether inputs wait for a filter. @param pending its unfinished batches */
const isBackpressured = ({ capacity, isNearlyFull }: SlowRule, pending: number): boolean => isNearlyFull?.() ?? pending >= capacity;

/** Number of timed calls before a filter is judged. */
export const samplesToJudge = (capacity: number): number => Math.max(1, capacity - 1);

/** Number of calls of the next batch to time in any case, so that a filter for which inputs wait is judged soon. */
export function callsToTime(rule: SlowRule, pending: number, times: CallTimes): number {
  return isBackpressured(rule, pending) ? Math.max(0, samplesToJudge(rule.capacity) - times.samples) : 0;
}

/**
 * Tells whether a filter has to end: inputs wait for it, and it is slow in processing or in matching.
 * @param matchNs average nanoseconds of matching one message
 */
export function isSlow(rule: SlowRule, pending: number, times: CallTimes, matchNs: number): boolean {
  const { maxProcessDuration, capacity } = rule;
  if (times.samples < samplesToJudge(capacity) || !isBackpressured(rule, pending)) return false;
  return times.averageNs > maxProcessDuration || matchNs > maxProcessDuration / MATCH_SHARE;
}
