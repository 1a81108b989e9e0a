/** The messages between the engine and the thread that writes its tables. */
import type { StoredFile } from '../../ask/tables.ts';

export type ToTables =
  /** Records of the next file: a segment in the form of the record store, and the rows of it that are wanted. */
  | { readonly kind: 'add'; readonly bytes: Uint8Array<ArrayBuffer>; readonly rows: Uint32Array<ArrayBuffer> }
  /** Writes what was added as a file of a table. */
  | { readonly kind: 'write'; readonly table: string; readonly path: string };

/** A file of a table, as it was written. */
export interface WrittenFile extends StoredFile {
  readonly rows: number;
  readonly bytes: number;
}

/** The answer to each message, in order. `heldBytes`: what was added and is not written, about. */
export type FromTables =
  | { readonly kind: 'added'; readonly heldBytes: number }
  | { readonly kind: 'written'; readonly file: WrittenFile }
  | { readonly kind: 'failed'; readonly text: string };
