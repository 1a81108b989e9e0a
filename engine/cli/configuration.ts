import { loadConfig } from '../config/load.ts';
import { formatProblem } from '../config/problems.ts';
import type { PipelineConfig } from '../config/sections.ts';
import { unavailableOptions } from '../config/unavailable.ts';
import { messageOf } from '../errors.ts';
import { scriptFolder } from '../service/script-folder.ts';
import { bundledNames, findPlugin } from '../plugins/catalog.ts';
import { checkParameters, ParameterError } from '../plugins/parameters.ts';

export interface CheckedConfig {
  readonly config: PipelineConfig;
  /** Problems, one line each; empty when the configuration can be run. */
  readonly problems: readonly string[];
  /** Options without effect here, one line each; the configuration can be run all the same. */
  readonly warnings: readonly string[];
}

/** Loads a configuration and checks it, also the parameters of its scripts against what the scripts declare. */
export async function checkedConfig(path: string): Promise<CheckedConfig> {
  const bundled = { decoder: bundledNames('decoder'), filter: bundledNames('filter'), encoder: bundledNames('encoder') };
  const { config, problems } = await loadConfig(path, { bundled });
  return { config, problems: [...problems.map(formatProblem), ...scriptProblems(config)], warnings: unavailableOptions(config) };
}

function scriptProblems({ service, inputs, decoders, filters, encoders, outputs }: PipelineConfig): string[] {
  const problems: string[] = [];
  const sections = [
    ...inputs.filter((section) => section.type === 'SandboxInput').map((section) => ({ kind: 'input' as const, section })),
    ...outputs.filter((section) => section.type === 'SandboxOutput').map((section) => ({ kind: 'output' as const, section })),
    ...decoders.map((section) => ({ kind: 'decoder' as const, section })),
    ...filters.map((section) => ({ kind: 'filter' as const, section })),
    ...encoders.map((section) => ({ kind: 'encoder' as const, section })),
  ];
  for (const { kind, section } of sections) {
    const { plugin, filename = '', origin, name, config } = section;
    try {
      checkParameters(plugin === undefined ? findPlugin(kind, filename, scriptFolder(service, origin)) : findPlugin(kind, plugin), config);
    } catch (error) {
      const found = error instanceof ParameterError ? error.problems : [messageOf(error)];
      problems.push(...found.map((problem) => `${origin.file}:${origin.line}: [${name}] ${problem}`));
    }
  }
  return problems;
}
