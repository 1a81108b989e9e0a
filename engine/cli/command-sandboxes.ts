import type { SandboxStarter } from '../plugins/sandboxes.ts';
import type { Sandboxes } from '../plugins/starter.ts';
import { DirectStarter } from '../sandbox/ours/direct-starter.ts';
import { ThreadPool } from '../sandbox/ours/thread-pool.ts';
import type { Sandbox, SandboxSpec } from '../sandbox/contract/types.ts';

/** Milliseconds that a host has to end: nothing of its scripts is kept. */
const GRACE_MS = 100;

/**
 * Decoders of a command that ends with its files: bundled ones run in its own process, in a thread when there is much to read, others in a host. The host, and the code that starts it, are
 * loaded with the first script that needs one.
 */
export class CommandSandboxes implements SandboxStarter {
  readonly #threads = new ThreadPool();
  readonly #direct = new DirectStarter(async (spec, past) => (await this.#hosts()).start(spec, past), {
    interruptible: true,
    threads: this.#threads,
  });
  #started: Promise<Sandboxes> | null = null;

  start(spec: SandboxSpec): Promise<Sandbox> {
    return this.#direct.start(spec);
  }

  /** Ends the host and the threads, if there are any. */
  async close(): Promise<void> {
    this.#threads.close();
    await (await this.#started)?.close();
  }

  #hosts(): Promise<Sandboxes> {
    return (this.#started ??= import('../plugins/starter.ts').then(({ startSandboxes }) =>
      startSandboxes({ hosts: 1, graceMs: GRACE_MS }),
    ));
  }
}
