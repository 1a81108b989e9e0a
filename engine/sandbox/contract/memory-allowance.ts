/** Bytes of an isolate without a script. */
const BARE = 4 << 20;

/**
 * Bytes that a host may take beyond what its scripts may hold: for batches, garbage, compilers, and its own work. What comes in the milliseconds before
 * the guard sees it is above that.
 */
const SLACK = 48 << 20;
/** Bytes beyond what its scripts may hold from which on a host collects garbage. */
const RELIEF = 24 << 20;

function sumOf(limits: readonly number[]): number {
  return limits.reduce((sum, limit) => sum + (limit === 0 ? Infinity : limit + BARE), 0);
}

/**
 * Bytes that a host may take for scripts with these memory limits, beyond what it had before.
 * @param limits 0: none
 */
export const allowanceFor = (limits: readonly number[]): number => sumOf(limits) + SLACK;

/** Bytes above which a host of such scripts collects their garbage. */
export const reliefFor = (limits: readonly number[]): number => sumOf(limits) + RELIEF;
