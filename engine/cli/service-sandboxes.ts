import type { ServiceConfig } from '../config/schema/service.ts';
import { startSandboxes, type Sandboxes } from '../plugins/starter.ts';
import type { Sandbox, SandboxSpec } from '../sandbox/contract/types.ts';
import { ThreadPool } from '../sandbox/ours/thread-pool.ts';
import type { ServiceLog } from './service-log.ts';

/**
 * The sandboxes of a service, which its configuration is checked with first: a second set of hosts would take half a second and as much processor
 * time at each start. The service goes on with the scripts that were checked, unless they have a state to begin with.
 */
export class ServiceSandboxes {
  #started: Sandboxes | null = null;
  /** Those that were started for the check, and that the service goes on with. */
  readonly #kept = new Map<string, Sandbox>();
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
    this.#started ??= this.#keeping(this.#start(hosts, areAllInHosts ? undefined : new ThreadPool()));
    return this.#started;
  }

  /** Stops those that were checked and that the service does not need. */
  async stopKept(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(kept.map((sandbox) => sandbox.stop()));
  }

  /** Bytes of memory of this process and the hosts. */
  async memory(): Promise<number> {
    return (await this.#started?.memory()) ?? process.memoryUsage.rss();
  }

  async close(): Promise<void> {
    await this.#started?.close();
    this.#started = null;
  }

  #keeping(sandboxes: Sandboxes): Sandboxes {
    return {
      ...sandboxes,
      keep: (spec, sandbox) => void this.#kept.set(idOf(spec), sandbox),
      start: (spec) => {
        const sandbox = this.#kept.get(idOf(spec));
        this.#kept.delete(idOf(spec));
        return sandbox?.state === 'running' ? Promise.resolve(sandbox) : sandboxes.start(spec);
      },
    };
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

/** Tells scripts apart. Whether timer_event must be there is asked by the check alone. */
const idOf = ({ ticks: _ticks, ...spec }: SandboxSpec): string => JSON.stringify(spec);
