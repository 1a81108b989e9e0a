import type { PipelineReport, PluginReport } from '../../pipeline/plugin-report.ts';

/** The reason for which a plugin does not do its work now; null: it does. */
export function problemOf({ fields: { Problem, Error } }: PluginReport): string | null {
  const problem = Problem ?? Error;
  return problem === undefined ? null : String(problem.value);
}

/** The plugins that do not do their work now, one line each: inputs that do not listen, outputs whose target takes nothing, buffers that are full. */
export function reasonsIn(
  report: PipelineReport,
  sections: readonly ('inputs' | 'filters' | 'outputs')[] = ['inputs', 'filters', 'outputs'],
): string[] {
  return sections.flatMap((section) =>
    report[section].flatMap((plugin) => {
      const problem = problemOf(plugin);
      return problem === null ? [] : [`[${plugin.name}] ${problem}`];
    }),
  );
}
