import type { ErrorCode } from '../api/errors.ts';
import type { QueryPlace } from '../api/filter-types.ts';

/** An error with a stable code that the window, the command line and tests can tell apart; the text is for the user. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
  readonly code: ErrorCode;
  /** Place of the mistake in a query; absent: it is about none. */
  readonly place?: QueryPlace;

  /**
   * @param code of the catalogue in `api/errors.ts`
   * @param text says what happened to what, and the next step
   */
  constructor(code: ErrorCode, text: string, options?: ErrorOptions & { readonly place?: QueryPlace | undefined }) {
    super(text, options);
    this.code = code;
    if (options?.place !== undefined) this.place = options.place;
  }
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A name with several addresses, none of which could be connected to: Node has no words of its own for all of them.
  if (error instanceof AggregateError && error.message === '') return [...new Set(error.errors.map(messageOf))].join(', ');
  return 'syscall' in error && error.syscall === 'uv_cwd' ? NOWHERE : error.message;
}

/** Node's own words for a relative path that it cannot resolve tell nobody what to do. */
const NOWHERE = 'the working directory was removed, so relative paths lead nowhere: change to one that is there (cd), or give whole paths';

/** The `code` of a system error (`ENOENT` …), or the empty string. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : '';
}
