import { z } from 'zod';
import type { FilterSet } from '../../api/filter-types.ts';
import { filterSets } from '../../api/requests/shapes.ts';

const schema = z.strictObject({ version: z.literal(1), sets: filterSets });

/** @throws {Error} when it is no such file */
export function parseFilterSets(text: string): readonly FilterSet[] {
  return schema.parse(JSON.parse(text)).sets;
}

export function formatFilterSets(sets: readonly FilterSet[]): string {
  return `${JSON.stringify({ version: 1, sets }, null, 1)}\n`;
}
