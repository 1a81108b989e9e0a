import { formatProblem } from './problems.ts';
import { OTHERS_HAVE } from './schema/sandbox.ts';
import type { Origin } from './schema/sections.ts';
import type { PipelineConfig } from './sections.ts';

const ALL_INPUTS = 'is for the workspace of the window: here the filter gets the messages of all inputs that its message_matcher selects';

const NO_FILTERS = 'is 0: nothing can be loaded';
const NO_SIGNER = 'is not set: whoever can send messages to this service can load scripts into it';

/** Lists options without effect here, and missing ones that should be set, one line each. The configuration can be run all the same. */
export function unavailableOptions({ decoders, encoders, filters, managers }: PipelineConfig): string[] {
  const warnings: string[] = [];
  const warn = ({ name, origin }: { readonly name: string; readonly origin: Origin }, key: string, text: string): void => {
    warnings.push(formatProblem({ code: 'config.parameter', ...origin, section: name, key, text, hint: '' }));
  };
  for (const filter of filters) {
    for (const key of ['inputs', 'stopped_for'] as const) if (filter[key] !== undefined) warn(filter, key, ALL_INPUTS);
  }
  for (const [kind, sections] of [
    ['a decoder', decoders],
    ['an encoder', encoders],
  ] as const) {
    for (const section of sections)
      for (const key of OTHERS_HAVE) if (section[key] !== undefined) warn(section, key, `is without effect for ${kind}`);
  }
  for (const manager of managers) {
    if (manager.max_filters === 0) warn(manager, 'max_filters', NO_FILTERS);
    if (manager.message_signer === undefined) warn(manager, 'message_signer', NO_SIGNER);
  }
  return warnings;
}
