import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { startParameters } from '../../../engine/plugins/parameters.ts';
import type { Sandbox, SandboxKind } from '../../../engine/sandbox/types.ts';
import { SandboxBench, type ScriptOptions } from '../../engine/sandbox/harness.ts';

/** A bench for bundled scripts, which get their parameters as the engine gives them. */
export class PluginBench extends SandboxBench {
  async startPlugin(kind: SandboxKind, name: string, options: ScriptOptions = {}): Promise<Sandbox> {
    const plugin = findPlugin(kind, name);
    return this.startFile(plugin.path, { ...options, kind, config: startParameters(plugin, options.config ?? {}) });
  }
}
