import type { ArchiveForm } from '../probe.ts';
import type { Chunks } from '../chunks.ts';

/** A log in an archive. */
export interface Member {
  /** Its path in the archive, with `/` between folders. */
  readonly name: string;
  /** Bytes, packed as it may be. */
  readonly size: number;
  /** When it was written, in nanoseconds since 1970. */
  readonly writtenNs: bigint;
}

/** A file of an archive or folder that is not read. */
export interface LeftOut {
  readonly name: string;
  /** The reason, as the end of a sentence: `it is a picture`. */
  readonly why: string;
  /** It may hold a log, which is missing then. */
  readonly isLoss: boolean;
}

/** The files of an archive. */
export interface Listing {
  readonly form: ArchiveForm;
  /** Its logs, in the order of their names. */
  readonly members: readonly Member[];
  readonly leftOut: readonly LeftOut[];
  /** The bytes of a member, from its beginning. */
  read(name: string): Chunks;
  /** Frees what reading needs. */
  close(): void;
}

/** Bounds of an archive. */
export interface ArchiveBounds {
  readonly members: number;
  /** Bytes of its files together, unpacked. */
  readonly bytes: number;
  /** Most bytes of text for each packed byte, as soon as there are more than `freeBytes`. */
  readonly ratio: number;
  readonly freeBytes: number;
}

export const ARCHIVE_BOUNDS: ArchiveBounds = { members: 100_000, bytes: 64 * 2 ** 30, ratio: 1000, freeBytes: 2 ** 30 };
