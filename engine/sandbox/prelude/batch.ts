import type { InputColumn } from './reading/input-column.ts';

interface Batch {
  length: number;
  columns: InputColumn[];
  /** The delivered texts, by number. */
  texts: string[];
  /** All columns have their values. */
  isWhole: boolean;
}

export const batch: Batch = { length: 0, columns: [], texts: [], isWhole: false };
