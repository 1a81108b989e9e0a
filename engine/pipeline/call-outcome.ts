import type { End } from '../api/ends.ts';
import { messageOf } from '../base/errors.ts';
import { NotDeliveredError } from '../outputs/delivery.ts';
import { endOf } from '../sandbox/contract/errors.ts';
import { NO_RESULT, type SandboxResult, type Termination } from '../sandbox/contract/types.ts';

/** The result of a call into the script of a filter or output, with the error if what it wrote was not delivered. */
export type Outcome = SandboxResult & { readonly undelivered?: NotDeliveredError };

/** Turns the error of a failed call into an outcome: the script has ended, unless it was the target of the script that failed. */
export function asOutcome(error: unknown): Outcome {
  if (error instanceof NotDeliveredError) return { ...NO_RESULT, undelivered: error };
  return { ...NO_RESULT, terminated: { ...endOf(error), reason: messageOf(error), row: -1 } };
}

/** The end alone. */
export const withoutRow = ({ row: _, ...end }: Termination): End => end;

/** Selected rows behind the row at which a script ended. */
export function rowsAfter(row: number, length: number, selection: Uint32Array | null): number {
  return selection === null ? length - 1 - row : selection.filter((selected) => selected > row).length;
}
