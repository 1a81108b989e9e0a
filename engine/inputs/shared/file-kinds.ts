import type { SplitOptions } from '../splitters/index.ts';
import type { TextSource } from './read.ts';

/** The kinds of files that an input can tell apart. A kind has a name, which also stands in checkpoints. */
export interface FileKinds {
  /** Recognises a file by its beginning. @param writtenNs when it was written; null: it is of no known kind */
  recognise(source: TextSource, writtenNs: bigint): Promise<string | null>;
  /** The kind of files that have a path, whatever is in them yet, such as that of the file that had it before; null: they are recognised. Absent: all are. */
  known?(path: string): string | null;
  /** Makes a kind from an earlier run ready. Resolves to false when there is no such kind any more. */
  recall(kind: string): Promise<boolean>;
  /** The ways in which files of a kind are cut into records. */
  splitOf(kind: string): SplitOptions;
}
