import type { NamedColumn } from '../parquet/column-names.ts';
import type { ManifestFile } from './manifest.ts';

/** Rows of a file, about. */
export const FILE_ROWS = 120_000;

/** Requests to the thread that writes the files of a store, in this order for each source: begin, then batches and seals. */
export type ToWriter =
  /** @param names those that the columns of the table have in earlier files */
  | { readonly kind: 'begin'; readonly names: readonly NamedColumn[] }
  /** @param raw a batch with the records as Payloads; null: they are not kept */
  | { readonly kind: 'add'; readonly batch: Uint8Array; readonly raw: Uint8Array | null }
  /** Writes what was added. */
  | { readonly kind: 'seal' }
  /** Makes one file of files of the folder, with their rows in this order, and seals it. Nothing may have been added since `begin`. */
  | { readonly kind: 'merge'; readonly files: readonly string[] }
  /** Removes the files that were written and not sealed. */
  | { readonly kind: 'drop' };

/** Its answers, one for each request. */
export type FromWriter =
  | { readonly kind: 'done' }
  /** The files since the last seal; they are whole and on the disk. */
  | { readonly kind: 'sealed'; readonly files: readonly ManifestFile[] }
  | { readonly kind: 'failed'; readonly text: string };
