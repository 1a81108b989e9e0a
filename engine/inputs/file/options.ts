import type { TextPool } from '../../message/text-pool.ts';
import type { TextEncoding } from '../probe.ts';
import type { SplitOptions } from '../splitters/index.ts';
import type { FileKinds } from '../shared/file-kinds.ts';

/** A place in a file of text: where a record begins, and the kind of the file if it was recognised; see `FileKinds`. */
export interface Place {
  readonly position: number;
  readonly kind?: string | undefined;
}

/** Starting point of files, or of a file by its path. A file that is shorter than its place is read from its beginning. */
export type StartAt = 'beginning' | 'end' | ((path: string) => 'beginning' | 'end' | Place);

export interface FileInputOptions {
  /** Name of the input: Logger of its records unless `logger` says otherwise, and name of its checkpoint. */
  readonly name: string;
  /** Files, and patterns of files (`*`, `**`, `?`, `[…]`, `{…}`); relative to the working directory. */
  readonly paths: readonly string[];
  /** true (default): follows the files as they grow, and new files that fit a pattern. false: reads once to the end. */
  readonly follow?: boolean;
  /** Starting point in files that exist at the start and have no checkpoint: `beginning` (default), `end` for new records only, or one for each path. */
  readonly startAt?: StartAt;
  /** `line` by default. */
  readonly split?: SplitOptions;
  /** Recognises the files, each by itself: those of a kind are cut as it says, the others by `split`. */
  readonly kinds?: FileKinds | undefined;
  /** Encoding of files that are not compressed; by default it is detected from the first bytes. */
  readonly encoding?: TextEncoding | undefined;
  /** Longest record in bytes, 1 MiB by default; longer ones are delivered cut. */
  readonly maxRecord?: number;
  /** Logger of the records: `name` (default), or the `basename` or the `path` of the file, as it was named when it was found. */
  readonly logger?: 'name' | 'basename' | 'path';
  /** Type of the records, `logfile` by default. */
  readonly type?: string;
  /** Hostname of the records, by default this machine's. */
  readonly hostname?: string;
  /** Memory for texts; those of a batch are released with its acknowledgement. Absent: they are made, and nobody has to release them. */
  readonly texts?: TextPool | undefined;
  /** Folder for the checkpoint; without one every start reads from the beginning. */
  readonly stateDirectory?: string | undefined;
  /** A line without its end is delivered when nothing followed for so long, in milliseconds (1000); 0: never while following. */
  readonly flushMs?: number;
  /** The same for a line of which only a part was written, in milliseconds (`flushMs`). */
  readonly tornMs?: number;
  /** Time between two looks at the files, for when no hint comes, in milliseconds (200). */
  readonly pollMs?: number;
  /** false: changes are seen at the next look alone, not by hints of the system, each of which costs more than a line that is written. */
  readonly watch?: boolean;
  /** Files that are held open at most; by default the input's share of half of what the system allows. */
  readonly maxOpenFiles?: number;
}
