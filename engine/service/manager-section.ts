import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { End } from '../api/ends.ts';
import type { FilterConfig, ManagerConfig } from '../config/schema/sections.ts';
import type { PipelineConfig } from '../config/sections.ts';
import { compileExpression } from '../matcher/expression.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { moduleFolders } from './script-options.ts';
import { SectionFactory, type PipelineHost } from './section-factory.ts';
import { ManagerFilter, type ManagedFilter } from './manager/manager-filter.ts';

/** Makes the manager of a section; what it loads becomes part of the pipeline. */
export function makeManager(section: ManagerConfig, config: PipelineConfig, host: PipelineHost, pipeline: Pipeline): ManagerFilter {
  const { name, message_signer: signer, max_filters: maxFilters } = section;
  const { service } = config;
  const { router } = pipeline;
  const modules = moduleFolders(section, service);

  async function start(filter: FilterConfig, onEnd: () => void): Promise<ManagedFilter> {
    const made = await new SectionFactory(config, host).managedFilter(filter);
    const onTerminated = (end: End): void => {
      onEnd();
      made.onTerminated?.(end);
    };
    const runner = pipeline.addFilter({ ...made, onTerminated });
    const stop = async (): Promise<void> => {
      router.remove(runner);
      await runner.stop();
    };
    return { stop };
  }

  return new ManagerFilter(
    {
      name,
      maxFilters,
      matcher: compileExpression(section.message_matcher),
      signer,
      folder: resolve(service.base_dir ?? host.dataFolder, section.working_directory),
      forced: {
        ...(modules.length === 0 ? {} : { module_directory: modules.join(';') }),
        memory_limit: section.memory_limit,
        instruction_limit: section.instruction_limit,
        output_limit: section.output_limit,
      },
    },
    {
      router,
      hostname: service.hostname ?? hostname(),
      pid: process.pid,
      isRunning: (filter) => router.filters.some((other) => other.name === filter),
      start,
      log: (level, code, text) => host.tell({ kind: 'notice', notice: { level, code, text } }),
    },
  );
}
