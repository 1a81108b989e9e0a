import { join } from 'node:path';
import type { DecoderConfig, EncoderConfig, FilterConfig, ScriptInputConfig, ScriptOutputConfig } from '../config/schema/sections.ts';
import type { PipelineConfig } from '../config/sections.ts';
import { findPlugin } from '../plugins/catalog.ts';
import type { Config } from '../plugins/parameters.ts';
import type { PluginScript } from '../plugins/types.ts';
import type { SandboxKind, SandboxSpec } from '../sandbox/contract/types.ts';
import { sandboxSpec, type SpecOptions } from '../plugins/sandboxes.ts';
import type { MetaFiles } from '../plugins/script-constants.ts';
import { fileName } from './kept-names.ts';
import { sourceForm } from './script-source.ts';
import { scriptFolder } from './script-folder.ts';
import { limitsOfBundled, scriptOptions, sharedModules } from './script-options.ts';
import { samplesToJudge } from '../pipeline/slow-filter.ts';

type ScriptSection = FilterConfig | DecoderConfig | EncoderConfig | ScriptInputConfig | ScriptOutputConfig;

/** Calls in a profile, as a multiple of the calls after which a slow filter is judged. */
const PROFILE = 10;

/** Finds the scripts of the sections of one configuration. */
export class SectionScripts {
  readonly #service: PipelineConfig['service'];
  /** Folder of checkpoints, queues and preserved state. */
  readonly baseFolder: string;

  /** @param dataFolder used unless the configuration names a `base_dir` */
  constructor({ service }: PipelineConfig, dataFolder: string) {
    this.#service = service;
    this.baseFolder = service.base_dir ?? dataFolder;
  }

  /**
   * Finds the script of a section, or a bundled one by its name.
   * @param files the files whose constants its meta may use: none, for one that was sent
   * @throws {EngineError} when there is none
   */
  find(kind: SandboxKind, script: ScriptSection | string, files: MetaFiles = 'folder'): PluginScript {
    if (typeof script === 'string') return findPlugin(kind, script);
    const { plugin, filename = '', origin } = script;
    return plugin === undefined ? findPlugin(kind, filename, scriptFolder(this.#service, origin), files) : findPlugin(kind, plugin);
  }

  /**
   * Returns the specification of the sandbox of a section's script, or of a bundled one. Throws as `find`.
   * @param config of a bundled one
   */
  spec(kind: SandboxKind, script: ScriptSection | string, name: string, config: Readonly<Config> = {}): SandboxSpec {
    const plugin = this.find(kind, script);
    if (typeof script !== 'string') return this.#sectionSpec(kind, plugin, script, name);
    const service = this.#service;
    const limits = limitsOfBundled(kind, service);
    return sandboxSpec(kind, plugin, { ...this.#host(name), config, limits, modules: sharedModules(service) });
  }

  /** Returns the specification of a filter that was sent to this service. Throws as `find`. */
  sentSpec(filter: FilterConfig): SandboxSpec {
    return this.#sectionSpec('filter', this.find('filter', filter, 'none'), filter, filter.name);
  }

  #host(name: string): Pick<SpecOptions, 'name' | 'hostname'> {
    return { name, hostname: this.#service.hostname };
  }

  #sectionSpec(kind: SandboxKind, plugin: PluginScript, script: ScriptSection, name: string): SandboxSpec {
    const service = this.#service;
    return sandboxSpec(kind, plugin, {
      ...this.#host(name),
      ...scriptOptions(script, service),
      sampling: { every: service.sample_denominator, profile: this.#profiledCalls(kind, script) },
      preservation: script.preserve_data ? this.#preservation(name) : undefined,
      writes: 'target' in script && script.target !== undefined,
      reads: 'source' in script && script.source !== undefined ? sourceForm(script.source) : undefined,
    });
  }

  /** Number of calls timed for the profile of a filter. */
  #profiledCalls(kind: SandboxKind, { profile }: ScriptSection): number {
    return profile && kind === 'filter' ? PROFILE * samplesToJudge(this.#service.plugin_chansize) : 0;
  }

  /** The file that keeps a plugin's state. */
  #preservation(name: string): string {
    return join(this.baseFolder, 'sandbox_preservation', `${fileName(name)}.data`);
  }
}
