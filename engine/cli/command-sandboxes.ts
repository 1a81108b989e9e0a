import type { SandboxStarter } from '../plugins/sandboxes.ts';
import type { Sandboxes } from '../plugins/starter.ts';
import { DirectStarter } from '../sandbox/direct/direct-starter.ts';
import type { Sandbox, SandboxSpec } from '../sandbox/types.ts';

/** Milliseconds that a host has to end: nothing of its scripts is kept. */
const GRACE_MS = 100;

/**
 * Decoders of a command that ends with its files: bundled ones run in its own process, others in a host. The host, and the code that starts it, are
 * loaded with the first script that needs one.
 */
export class CommandSandboxes implements SandboxStarter {
  readonly #direct = new DirectStarter(async (spec, past) => (await this.#hosts()).start(spec, past), { interruptible: true });
  #started: Promise<Sandboxes> | null = null;

  start(spec: SandboxSpec): Promise<Sandbox> {
    return this.#direct.start(spec);
  }

  /** Ends the host, if there is one. */
  async close(): Promise<void> {
    await (await this.#started)?.close();
  }

  #hosts(): Promise<Sandboxes> {
    return (this.#started ??= import('../plugins/starter.ts').then(({ startSandboxes }) =>
      startSandboxes({ hosts: 1, graceMs: GRACE_MS }),
    ));
  }
}
