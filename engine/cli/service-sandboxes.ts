import type { ServiceConfig } from '../config/schema/service.ts';
import { startSandboxes, type Sandboxes } from '../plugins/starter.ts';
import { ThreadPool } from '../sandbox/ours/thread-pool.ts';
import type { ServiceLog } from './service-log.ts';

/**
 * The sandboxes of a service, which its configuration is checked with first: a second set of hosts would take half a second and as much processor
 * time at each start.
 */
export class ServiceSandboxes {
  #started: Sandboxes | null = null;
  #log: ServiceLog | null = null;
  readonly #endsWithInput: boolean;

  /** @param endsWithInput the service ends when it has read all that there is: bundled decoders run in this process */
  constructor(endsWithInput: boolean) {
    this.#endsWithInput = endsWithInput;
  }

  /** Sends notices there from now on. What happens during the check is among its findings. */
  tellTo(log: ServiceLog): void {
    this.#log = log;
  }

  /** The sandboxes, whose hosts are started with the first call. */
  of({ maxprocs: hosts, bundled_in_hosts: areAllInHosts }: ServiceConfig): Sandboxes {
    this.#started ??= this.#start(hosts, areAllInHosts ? undefined : new ThreadPool());
    return this.#started;
  }

  async close(): Promise<void> {
    await this.#started?.close();
    this.#started = null;
  }

  /** @param threads for bundled scripts; undefined: they run in hosts as others do */
  #start(hosts: number | undefined, threads: ThreadPool | undefined): Sandboxes {
    return startSandboxes({
      hosts,
      threads,
      here: threads !== undefined && this.#endsWithInput ? { interruptible: false } : undefined,
      onHostCrash: (text) => this.#log?.notice({ level: 'error', code: 'sandbox.host-ended', text }),
      onStall: (plugin, text) =>
        this.#log?.notice({ level: 'warning', code: 'plugin.stalled', subject: plugin, text: `[${plugin}] ${text}` }),
      onStateProblem: (plugin, problem) => this.#log?.notice({ level: 'warning', text: `[${plugin}] ${problem}` }),
    });
  }
}
