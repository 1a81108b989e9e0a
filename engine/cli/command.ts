import type { NoticeLevel } from '../inputs/types.ts';
import type { Output } from './output.ts';

/**
 * Exit codes, after sysexits.h where it has one. Commands that read logs have those of grep: `none` says that nothing was found, where that is the question,
 * and `trouble` that something cannot be read. Others end with `failed`.
 */
export const Exit = { ok: 0, none: 1, failed: 1, trouble: 2, usage: 2, internal: 70, interrupted: 130 } as const;

/** The process around a command: its output, its errors and its signals. */
export interface CommandContext {
  readonly out: Output;
  /** Writes one line to standard error, by default of an error; what strangers wrote in it may stand there as it is. */
  readonly complain: (line: string, level?: NoticeLevel) => void;
  /** Aborted by an interrupt: the command then ends in order, and soon. */
  readonly signal: AbortSignal;
  /** Makes a hangup (SIGHUP) call the handler from now on instead of ending the command. */
  readonly onHangup?: (handler: () => void) => void;
  /** Makes a further interrupt call the handler from now on instead of ending the command at once; only `END_AT_ONCE` still does that. */
  readonly onAskedAgain?: (handler: () => void) => void;
}

export interface Command {
  /** Text that `sluicebox NAME --help` prints. */
  readonly help: string;
  /** Exit code when something fails that is no fault of the program; `Exit.failed` by default. */
  readonly failed?: number;
  /** @returns the exit code */
  run(args: readonly string[], context: CommandContext): Promise<number>;
}

/** A mistake in the command line. Its text goes to standard error, with a reference to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** Further lines, such as the place in an expression. */
  readonly details: readonly string[];

  constructor(message: string, options: ErrorOptions & { readonly details?: readonly string[] } = {}) {
    super(message, options);
    this.details = options.details ?? [];
  }
}
