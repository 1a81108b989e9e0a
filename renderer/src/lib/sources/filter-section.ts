import type { FilterSection } from '../../../../engine/api/types.ts';

/** Selects everything except messages of the service and its filters: a filter must not get the messages that it injects. */
export const USUAL_MATCHER = 'Type !~ /^svc\\./';

export const USUAL_LIMITS: FilterSection['limits'] = { memory: 8_388_608, instructions: 1_000_000, output: 1_048_576 };

export function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let n = 2; taken.includes(free); n++) free = `${name}_${n}`;
  return free;
}
