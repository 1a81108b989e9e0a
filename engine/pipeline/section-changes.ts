import { isDeepStrictEqual } from 'node:util';
import type { FilterConfig, PipelineConfig } from '../config/index.ts';

type Section = { readonly name: string };

export interface SectionChanges<T extends Section> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
  readonly changed: readonly { readonly before: T; readonly after: T }[];
}

/** What is different in the sections of a kind; where they stand in the file does not matter. */
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

/** What is different besides filters: one line for each, which takes effect when the service is started again. */
export function pendingChanges(before: PipelineConfig, after: PipelineConfig): string[] {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(after.service)) {
    if (!isDeepStrictEqual(value, before.service[name as keyof typeof before.service])) lines.push(`[svcd] ${name} is changed`);
  }
  for (const name of Object.keys(before.service)) if (!(name in after.service)) lines.push(`[svcd] ${name} is removed`);
  for (const kind of ['inputs', 'decoders', 'encoders', 'outputs'] as const) {
    const { added, removed, changed } = sectionChanges<Section>(before[kind], after[kind]);
    for (const { name } of added) lines.push(`[${name}] is new`);
    for (const { name } of removed) lines.push(`[${name}] is removed`);
    for (const { after: section } of changed) lines.push(`[${section.name}] is changed`);
  }
  return lines;
}
