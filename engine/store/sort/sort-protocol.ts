/** Messages between the engine and the thread that sorts records. */
import type { KeyedPart, SortColumn, SortResult } from './sort-keys.ts';

export type ToSorter =
  | { readonly kind: 'begin'; readonly column: SortColumn; readonly most: number }
  /** A segment in the form of the record store, and the rows of it that are sorted; null: all. */
  | {
      readonly kind: 'add';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly rows: Uint32Array | Uint16Array | null;
      readonly parts: readonly KeyedPart[];
    }
  | { readonly kind: 'sort' };

/** The answer to each message but the first, in order. */
export type FromSorter =
  | { readonly kind: 'added' }
  | { readonly kind: 'sorted'; readonly result: SortResult }
  | { readonly kind: 'failed'; readonly text: string };
