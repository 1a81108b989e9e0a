import type { InputColumn } from './input-column.ts';

interface Batch {
  length: number;
  columns: InputColumn[];
  /** The delivered texts, by number. */
  texts: string[];
}

export const batch: Batch = { length: 0, columns: [], texts: [] };
