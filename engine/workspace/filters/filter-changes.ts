import { sectionChanges } from '../../service/section-changes.ts';
import type { RunningFilter } from './running-filter.ts';
import type { FilterTemplate } from '../file/templates.ts';

/** The differences between the running filters of a source and its templates. */
export interface FilterChanges {
  readonly ending: readonly RunningFilter[];
  readonly changed: readonly { readonly old: RunningFilter; readonly template: FilterTemplate }[];
  readonly added: readonly FilterTemplate[];
}

/** Compares filters with templates by the names of their sections. */
export function filterChanges(running: readonly RunningFilter[], wanted: readonly FilterTemplate[]): FilterChanges {
  const byName = new Map(running.map((filter) => [filter.template.name, filter]));
  const { added, removed, changed } = sectionChanges(
    running.map(({ template }) => withoutStops(template)),
    wanted.map(withoutStops),
  );
  return {
    added,
    ending: removed.flatMap(({ name }) => byName.get(name) ?? []),
    changed: changed.map(({ before, after }) => ({ old: byName.get(before.name) as RunningFilter, template: after })),
  };
}

/** Leaves out `stoppedFor`: stopping a filter does not change its template. */
function withoutStops({ stoppedFor: _, ...template }: FilterTemplate): FilterTemplate {
  return template;
}
