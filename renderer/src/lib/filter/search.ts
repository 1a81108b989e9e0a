import { formatCount, plural } from '../format.ts';
import { isBoolean, isShape, isString } from '../sources/saved.ts';

/** Text that is searched in the Logs view. */
export interface SearchText {
  readonly text: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly word: boolean;
}

export const NO_SEARCH: SearchText = { text: '', regex: false, caseSensitive: false, word: false };

/** Whether a saved value is a search. */
export const isSearch = isShape<SearchText>({ text: isString, regex: isBoolean, caseSensitive: isBoolean, word: isBoolean });

/** Progress of a search. */
export interface SearchCount {
  readonly hits: number;
  readonly scanned: number;
  readonly total: number;
  readonly complete: boolean;
}

/**
 * The state of a search in words: `17 of 12,056`, `12,056 records`, and how far it is while it goes on.
 * @param number of the hit that is selected, from 1; null: none is
 */
export function countText({ hits, scanned, total, complete }: SearchCount, number: number | null): string {
  const found = number === null ? plural(hits, 'record') : `${formatCount(number)} of ${formatCount(hits)}`;
  if (!complete) return `${found} in ${Math.floor((100 * scanned) / Math.max(1, total))} %`;
  return hits === 0 ? 'Not found' : found;
}
