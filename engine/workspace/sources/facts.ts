import type { PlainInputConfig } from '../../config/schema/sections.ts';
import { inputTypeOf } from '../../inputs/built-in.ts';
import type { InputFacts } from '../../inputs/shared/input-type.ts';
import { COMMAND_PREFIX } from '../file/command-section.ts';
import { WORKSTATION_PREFIX } from '../file/workstation.ts';

/** What the window calls a source. */
export type SourceFacts = InputFacts;

/** What the window calls the source of a section. */
export function sourceFacts(input: PlainInputConfig): SourceFacts {
  const facts = inputTypeOf(input.type).facts(input);
  return { ...facts, label: labelOf(input.name, facts) };
}

/** What the window calls the source of the sections that watch this machine. */
export function workstationFacts(inputs: readonly PlainInputConfig[]): SourceFacts {
  const paths = inputs.map((input) => (input.type === 'FilePollingInput' ? input.file_path : input.name));
  return { kind: 'workstation', label: 'This workstation', location: paths.join(', ') };
}

/** Names that were given to files and commands by hand say most. */
function labelOf(name: string, { kind, label }: SourceFacts): string {
  if (kind !== 'file' && kind !== 'command') return label;
  if (kind === 'command' && name.startsWith(COMMAND_PREFIX)) return label;
  if (!name.startsWith(WORKSTATION_PREFIX)) return name;
  return kind === 'file' ? label : name.slice(WORKSTATION_PREFIX.length);
}
