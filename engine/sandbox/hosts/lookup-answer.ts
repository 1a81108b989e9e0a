import { lookupNamed } from '../../lookup/folder.ts';
import { LookupError } from '../../lookup/lookup.ts';
import type { LookupAnswer, LookupRequest } from '../contract/protocol.ts';

/** The answer of a lookup to a script. An error names no other lookup or column: a script can ask, but not list. */
export function answerOfLookup({ name, column, value }: LookupRequest): LookupAnswer {
  try {
    const lookup = lookupNamed(name);
    return { value: column === null ? lookup.has(value) : lookup.value(value, column) };
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    return { error: error.plain };
  }
}
