import type { Output } from './output.ts';

/** Exit codes, after sysexits.h where it has one. */
export const Exit = { ok: 0, failed: 1, usage: 2, internal: 70, interrupted: 130 } as const;

/** What a command works with. */
export interface CommandContext {
  readonly out: Output;
  /** One line of standard error. */
  readonly complain: (line: string) => void;
  /** Aborted by an interrupt: end in order, and soon. */
  readonly signal: AbortSignal;
  /** From now on a hangup (SIGHUP) calls back instead of ending the command. */
  readonly onHangup?: (handler: () => void) => void;
  /** From now on a further interrupt calls back instead of ending the command at once, which is left to SIGQUIT. */
  readonly onAskedAgain?: (handler: () => void) => void;
}

export interface Command {
  /** What `sluicebox NAME --help` prints. */
  readonly help: string;
  /** @returns the exit code */
  run(args: readonly string[], context: CommandContext): Promise<number>;
}

/** The command line is wrong: the text goes to standard error, with where to read more. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
