import type { InputColumn } from './reading/input-column.ts';

/** A text, or code units that are bytes: their text is made when it is asked for. */
export type DeliveredText = string | { readonly text: string; readonly bytes: Uint8Array };

interface Batch {
  length: number;
  columns: InputColumn[];
  /** The delivered texts, by number. */
  texts: DeliveredText[];
  /** All columns have their values. */
  isWhole: boolean;
  /** An object of each class that batches are made of: V8 drops the code for a class whose objects are all gone when it collects garbage between two batches. */
  models: readonly object[];
}

export const batch: Batch = { length: 0, columns: [], texts: [], isWhole: false, models: [] };

/** The delivered text of a number. */
export function textNumbered(number: number): string {
  const text = batch.texts[number] as DeliveredText;
  return typeof text === 'string' ? text : text.text;
}

/** The code units of the delivered text of a number; null: only the text is there. */
export function unitsNumbered(number: number): Uint8Array | null {
  const text = batch.texts[number] as DeliveredText;
  return typeof text === 'string' ? null : text.bytes;
}
