import type { LookupList } from '../api/query-types.ts';
import { lookupNamed, lookupNames } from '../lookup/folder.ts';
import { LookupError } from '../lookup/lookup.ts';

/** The lookups that an expression can name. @param name of the one whose columns are told; null: of none */
export function lookupList(name: string | null): LookupList {
  return { names: lookupNames(), columns: name === null ? [] : columnsOf(name) };
}

/** One that cannot be used has none: what is wrong with it is said where it is used. */
function columnsOf(name: string): readonly string[] {
  try {
    return lookupNamed(name).columns;
  } catch (error) {
    if (error instanceof LookupError) return [];
    throw error;
  }
}
