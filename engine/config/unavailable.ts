import { formatProblem, type ConfigProblem } from './problems.ts';
import type { PipelineConfig } from './sections.ts';

/** What a configuration asks for and does not get yet, one line each. It can be run all the same. */
export function unavailableOptions({ filters, outputs }: PipelineConfig): string[] {
  const buffered = [...filters, ...outputs].filter((section) => section.use_buffering);
  const text = 'is not available in this version: messages wait in memory, and the inputs wait when that is full';
  return buffered
    .map(({ name, origin }): ConfigProblem => ({ ...origin, section: name, key: 'use_buffering', text, hint: '' }))
    .map(formatProblem);
}
