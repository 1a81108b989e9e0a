/** The requests by which the window opens what somebody types: a path, a folder, a pattern, or a file of another machine. */
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

export interface OpenRequests {
  /** Continuations of a path that is being typed: each is a whole text to take its place. */
  'open.complete': { in: { text: string }; out: { texts: string[] } };
  /** Finds the logs that a typed text would open, and reads their first records. Files that nobody chose are confirmed first. */
  'open.look': { in: { text: string }; out: OpenLook };
  /** Runs a typed command line, or the ssh of a file of another machine, for a moment once it is confirmed, and reads its first records. */
  'open.sample': { in: { kind: 'command' | 'remote'; text: string }; out: OpenPreview };
  /** Opens it. `paths`: those of this machine. */
  'open.typed': { in: { text: string }; out: { opened: number[]; paths: string[] } };
}
