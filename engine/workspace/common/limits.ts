import { EngineError } from '../../base/errors.ts';

/** The largest numbers of what the window may have at once. People stay far below; a page that was taken over must not use up the machine. */
export const LIMITS = {
  /** Each has a pipeline, filters and up to a few MB of its own. A folder of rotated logs is opened at once. */
  sources: 500,
  /** Each holds a socket and, for UDP, a thread. */
  listeners: 32,
  /** Each is a process, with whatever that starts. */
  commands: 64,
  /** Each reads all records when its query changes. A window shows a few. */
  views: 64,
  /** Of the open sources: the window gets all of them whenever one changes. */
  marks: 2000,
  /** With those of files that are not open: all of them are written whenever one changes. */
  keptMarks: 10_000,
  /** Each reads all records and writes a file. */
  exports: 8,
  /** Each runs once for every source. */
  filters: 200,
  /** Files in the folder of scripts, up to a megabyte each. */
  scripts: 1000,
} as const;

type Limited = keyof typeof LIMITS;

/** The error about one more than there may be. @param advice the next step, as a sentence */
export function tooMany(what: Limited, advice: string): EngineError {
  return new EngineError(
    'limit.reached',
    `There are ${LIMITS[what]} ${what} already, which is the most that the window has at once. ${advice}`,
  );
}
