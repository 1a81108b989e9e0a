/** Types of what somebody types to open it: a path, a folder, a pattern, or a file of another machine. */
import type { PreviewRecord } from './decoder-types.ts';

/** One source that would be opened. */
export interface OpenPlan {
  /** Absolute path or pattern. */
  readonly path: string;
  readonly label: string;
  /** Decoder and first records of the log; null: its beginning was not read. */
  readonly preview: OpenPreview | null;
}

/** The beginning of a file as it would be decoded. */
export interface OpenPreview {
  /** Name of the detected decoder; null: none fits. */
  readonly decoder: string | null;
  /** Certainty of the detection, 0 to 1. */
  readonly confidence: number;
  /** The first records, three at most; none when no decoder knows it. */
  readonly records: readonly PreviewRecord[];
  /** The first lines as they are. */
  readonly lines: readonly string[];
}

/** The logs, or the command, that would be opened for a text that somebody types. */
export type OpenLook =
  | {
      readonly kind: 'files';
      readonly plans: readonly OpenPlan[];
      /** Says which files of a folder or an archive would not be opened, and why; null: there are none. */
      readonly leftOut: string | null;
    }
  /** A file of another machine: what would run. */
  | { readonly kind: 'remote'; readonly command: string };
