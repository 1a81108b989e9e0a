import { isDeepStrictEqual } from 'node:util';
import type { DecoderConfig, FilterConfig, InputConfig, OutputConfig } from '../config/schema/sections.ts';
import type { PipelineConfig } from '../config/sections.ts';

type Section = { readonly name: string };

export interface SectionChanges<T extends Section> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
  readonly changed: readonly { readonly before: T; readonly after: T }[];
}

/** Compares the sections of a kind, without their places in the file. */
export function sectionChanges<T extends Section>(before: readonly T[], after: readonly T[]): SectionChanges<T> {
  const old = new Map(before.map((section) => [section.name, section]));
  const names = new Set(after.map(({ name }) => name));
  return {
    added: after.filter(({ name }) => !old.has(name)),
    removed: before.filter(({ name }) => !names.has(name)),
    changed: after.flatMap((section) => {
      const other = old.get(section.name);
      return other === undefined || isDeepStrictEqual(withoutPlace(other), withoutPlace(section))
        ? []
        : [{ before: other, after: section }];
    }),
  };
}

const withoutPlace = (section: Section): object => ({ ...section, origin: null });

export const filterChanges = (before: PipelineConfig, after: PipelineConfig): SectionChanges<FilterConfig> =>
  sectionChanges(before.filters, after.filters);

/** Compares outputs with their encoders. */
export function outputChanges(before: PipelineConfig, after: PipelineConfig): SectionChanges<OutputConfig> {
  return changesWith(
    before.outputs,
    after.outputs,
    (output, config) => ('encoder' in output ? config.encoders.find(({ name }) => name === output.encoder) : undefined),
    before,
    after,
  );
}

/** Compares inputs with their decoders. */
export function inputChanges(before: PipelineConfig, after: PipelineConfig): SectionChanges<InputConfig> {
  const decoderOf = (input: InputConfig, config: PipelineConfig): DecoderConfig | undefined =>
    'decoder' in input ? config.decoders.find(({ name }) => name === input.decoder) : undefined;
  return changesWith(before.inputs, after.inputs, decoderOf, before, after);
}

/** Compares the sections of a kind, and the section that each of them refers to. */
function changesWith<T extends Section>(
  old: readonly T[],
  sections: readonly T[],
  referred: (section: T, config: PipelineConfig) => Section | undefined,
  before: PipelineConfig,
  after: PipelineConfig,
): SectionChanges<T> {
  const { added, removed } = sectionChanges(old, sections);
  const changed = sections.flatMap((section) => {
    const other = old.find(({ name }) => name === section.name);
    if (other === undefined) return [];
    return same(other, section) && same(referred(other, before), referred(section, after)) ? [] : [{ before: other, after: section }];
  });
  return { added, removed, changed };
}

function same(one: Section | undefined, other: Section | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isDeepStrictEqual(withoutPlace(one), withoutPlace(other));
}

/** Lists the changes that take effect at the next start, one line each. */
export function pendingChanges(before: PipelineConfig, after: PipelineConfig): string[] {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(after.service)) {
    if (!isDeepStrictEqual(value, before.service[name as keyof typeof before.service])) lines.push(`[svcd] ${name} is changed`);
  }
  for (const name of Object.keys(before.service)) if (!(name in after.service)) lines.push(`[svcd] ${name} is removed`);
  if (!isDeepStrictEqual(before.admin, after.admin)) lines.push('[admin] is changed');
  const { added, removed, changed } = sectionChanges<Section>([...before.managers, ...before.rules], [...after.managers, ...after.rules]);
  for (const { name } of added) lines.push(`[${name}] is new`);
  for (const { name } of removed) lines.push(`[${name}] is removed`);
  for (const { after: section } of changed) lines.push(`[${section.name}] is changed`);
  return lines;
}
