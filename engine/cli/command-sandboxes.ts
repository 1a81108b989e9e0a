import { startSandboxes, type Sandboxes } from '../plugins/starter.ts';
import { ThreadPool } from '../sandbox/ours/thread-pool.ts';

/** Milliseconds that a host has to end: nothing of its scripts is kept. */
const GRACE_MS = 100;

/** Starts the scripts of a command that ends with its files. @param hosts host processes at most */
export const commandSandboxes = (hosts = 1): Sandboxes =>
  startSandboxes({ hosts, graceMs: GRACE_MS, here: { interruptible: true }, threads: new ThreadPool() });
