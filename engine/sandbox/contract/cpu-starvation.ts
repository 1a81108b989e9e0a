/**
 * Factors between the time for which a call may have the processor and the time that it may take on the clock: the first, and those after the machine has kept its host from its
 * work for so long. Scripts end the same way on a machine that is busy, or was asleep, as on any other.
 */
export const PATIENCE = [1, 3, 10] as const;
export const MOST_PATIENCE = PATIENCE[2];

/** Part of its time for which a process at work has the processor at least, on a machine with little else to do. */
export const SHARE = 0.8;

/** Whether a call that is late has had the processor for less than it may take. */
export const isCpuStarved = (usedMs: number, allowedMs: number): boolean => usedMs < SHARE * allowedMs;
