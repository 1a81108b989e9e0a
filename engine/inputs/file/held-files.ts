import { openLimit } from '../../base/process/open-limit.ts';

/** Files that are held open where the system does not tell its limit. */
const UNTOLD = 200;
const MOST = 4096;
/** Descriptors of the runtime, scripts' hosts, connections and checkpoints: where the system allows few, more than half of them. */
const OTHERS = 54;

let most: number | null = null;
const users = new Set<object>();

/** How many files the inputs of this process hold open, all together: at most half of what the system allows, so that enough is left for all else. */
function mostHeldFiles(): number {
  return (most ??= boundOf(openLimit()));
}

/** @param limit on the descriptors of the process; null: it is not known */
export const boundOf = (limit: number | null): number =>
  limit === null ? UNTOLD : Math.max(1, Math.min(MOST, limit >> 1, limit - OTHERS));

/** The share of one of those that hold files open. */
export function shareOf(user: object): number {
  users.add(user);
  return Math.max(1, Math.floor(mostHeldFiles() / users.size));
}

/** One of them holds none any more. */
export function leaveShare(user: object): void {
  users.delete(user);
}
