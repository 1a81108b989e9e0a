import { join, resolve } from 'node:path';
import type { FilterConfig, ManagerConfig } from '../config/schema/sections.ts';
import type { ServiceConfig } from '../config/schema/service.ts';
import type { ScriptOptions } from '../plugins/sandboxes.ts';
import type { SandboxKind, SandboxLimits } from '../sandbox/contract/types.ts';
import { scriptFolder } from './script-folder.ts';

type ScriptSection = Pick<FilterConfig, 'config' | 'memory_limit' | 'instruction_limit' | 'output_limit' | 'module_directory' | 'origin'>;

/** `ScriptOptions` with all that a section says. */
type SectionOptions = Required<ScriptOptions> & { readonly limits: Omit<SandboxLimits, 'callMs'>; readonly folder: string };

/** Combines the script options of a section with those that the service sets for all scripts. */
export function scriptOptions(section: ScriptSection, service: ServiceConfig): SectionOptions {
  const { config, memory_limit: memory, instruction_limit: instructions, output_limit: output } = section;
  return {
    config,
    limits: { memory, instructions, output, ...injectionLimits(service) },
    modules: [...moduleFolders(section, service), ...sharedModules(service)],
    folder: scriptFolder(service, section.origin),
  };
}

/** The maximum numbers of messages that a call may inject. */
const injectionLimits = (service: ServiceConfig): { readonly processInject: number; readonly timerInject: number } => ({
  processInject: service.max_process_inject,
  timerInject: service.max_timer_inject,
});

/** The limits of a bundled script without a section. An encoder writes what there is: no parameter says how much that may be. */
export const limitsOfBundled = (kind: SandboxKind, service: ServiceConfig): Partial<SandboxLimits> => ({
  ...injectionLimits(service),
  ...(kind === 'encoder' ? { output: 0 } : {}),
});

/** The folders of a section's `module_directory`. */
export function moduleFolders(
  { module_directory: folders = '', origin }: Pick<ManagerConfig, 'module_directory' | 'origin'>,
  service: ServiceConfig,
): string[] {
  const base = scriptFolder(service, origin);
  return folders
    .split(';')
    .filter(Boolean)
    .map((folder) => resolve(base, folder));
}

/** The folder of the modules that all scripts of a service share. */
export const sharedModules = ({ share_dir: shared }: ServiceConfig): string[] => (shared === undefined ? [] : [join(shared, 'modules')]);
