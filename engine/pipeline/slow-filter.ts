import type { CallTimes } from '../sandbox/types.ts';

/** When a filter that was loaded while the service runs is ended because it is slow. */
export interface SlowRule {
  /** Nanoseconds that a process_message call may take on average. */
  readonly maxProcessDuration: number;
  /** Batches that may wait in front of a filter. */
  readonly capacity: number;
  /** For a filter with a buffer on disk: whether that is nearly full, which counts instead. */
  readonly isNearlyFull?: () => boolean;
}

/** Matching may take this part of what processing may take. */
const MATCH_SHARE = 5;

/** Whether inputs wait for a filter. @param pending batches that it has taken and not finished */
const isBackpressured = ({ capacity, isNearlyFull }: SlowRule, pending: number): boolean => isNearlyFull?.() ?? pending >= capacity;

/** So many calls must have been timed before a filter is judged. */
export const samplesToJudge = (capacity: number): number => Math.max(1, capacity - 1);

/** Calls of the next batch that are timed in any case: while inputs wait for a filter, it shall be judged soon. */
export function callsToTime(rule: SlowRule, pending: number, times: CallTimes): number {
  return isBackpressured(rule, pending) ? Math.max(0, samplesToJudge(rule.capacity) - times.samples) : 0;
}

/**
 * Whether a filter has to end: inputs wait for it, and it is slow in processing or in matching.
 * @param matchNs average nanoseconds that matching a message takes
 */
export function isSlow(rule: SlowRule, pending: number, times: CallTimes, matchNs: number): boolean {
  const { maxProcessDuration, capacity } = rule;
  if (times.samples < samplesToJudge(capacity) || !isBackpressured(rule, pending)) return false;
  return times.averageNs > maxProcessDuration || matchNs > maxProcessDuration / MATCH_SHARE;
}
