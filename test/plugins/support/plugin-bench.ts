import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { startParameters } from '../../../engine/plugins/parameters.ts';
import { startSeated } from '../../../engine/sandbox/ours/seated.ts';
import type { Sandbox, SandboxKind, SandboxSpec } from '../../../engine/sandbox/contract/types.ts';
import { SandboxBench, type ScriptOptions } from '../../engine/sandbox/harness.ts';

/** A bench for bundled scripts, which get their parameters as the engine gives them. */
export class PluginBench extends SandboxBench {
  async startPlugin(kind: SandboxKind, name: string, options: ScriptOptions = {}): Promise<Sandbox> {
    return this.pool.createSandbox(this.#specOf(kind, name, options));
  }

  /** Starts it in this process, where it has to stay. */
  startDirect(kind: SandboxKind, name: string, options: ScriptOptions = {}): Promise<Sandbox> {
    const leave = (): never => {
      throw new Error(`${name} did not run here`);
    };
    return startSeated(this.#specOf(kind, name, options), { here: { interruptible: false } }, leave);
  }

  #specOf(kind: SandboxKind, name: string, options: ScriptOptions): SandboxSpec {
    const plugin = findPlugin(kind, name);
    const config = startParameters(plugin, options.config ?? {});
    return { ...this.specOf(plugin.path, { ...options, kind, config }), ...(plugin.meta?.stateless === true ? { stateless: true } : {}) };
  }
}
