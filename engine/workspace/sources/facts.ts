import type { PlainInputConfig } from '../../config/schema/sections.ts';
import { inputTypeOf } from '../../inputs/built-in.ts';
import type { InputFacts } from '../../inputs/shared/input-type.ts';
import { COMMAND_PREFIX } from '../file/command-section.ts';
import { WORKSTATION_PREFIX } from '../file/workstation.ts';

/** Kind, label and location of a source in the window. */
export type SourceFacts = InputFacts;

/** The facts of the source of a section. */
export function sourceFacts(input: PlainInputConfig): SourceFacts {
  const facts = inputTypeOf(input.type).facts(input);
  return { ...facts, label: labelOf(input.name, facts) };
}

/** The facts of the source that shows the statistics of this machine. */
export function workstationFacts(inputs: readonly PlainInputConfig[]): SourceFacts {
  const paths = inputs.map((input) => (input.type === 'FilePollingInput' ? input.file_path : input.name));
  return { kind: 'workstation', label: 'This workstation', location: paths.join(', ') };
}

/** The label of a source: for files and commands the name of the section, if the user gave it; else that of the input. */
function labelOf(name: string, { kind, label }: SourceFacts): string {
  if (kind !== 'file' && kind !== 'command') return label;
  if (kind === 'command' && name.startsWith(COMMAND_PREFIX)) return label;
  if (!name.startsWith(WORKSTATION_PREFIX)) return name;
  return kind === 'file' ? label : name.slice(WORKSTATION_PREFIX.length);
}
