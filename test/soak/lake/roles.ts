/** Age of messages that are not kept. */
export const OLD_MS = 3_600_000;
/** Age of files of killed writers that are removed. */
export const ORPHAN_MS = 60_000;

/** Milliseconds on a clock that all processes of the machine share. */
export const nowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Records that a reader has seen in one snapshot. */
export interface Seen {
  readonly begunMs: number;
  /** Time at which it had the list of files. */
  readonly pinnedMs: number;
  /** Ranges by their writers. */
  readonly ranges: Readonly<Record<string, readonly number[]>>;
  /** Ranges of which rows are missing or are there twice. */
  readonly wrong: readonly string[];
  readonly files: number;
  /** It was not done within the grace time, and its files are gone. */
  readonly late: boolean;
}
