import { constants } from 'node:os';
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
  if ('syscall' in error && error.syscall === 'uv_cwd') return NOWHERE;
  const unnamed = unnamedOf(error);
  return unnamed === null ? error.message : error.message.replace(UNNAMED_TEXT, `${unnamed.code}: ${unnamed.words}`);
}

/** Errors of systems that Node has no names for. */
const UNNAMED: ReadonlyMap<number, { readonly code: string; readonly words: string }> = new Map([
  [-constants.errno.ESTALE, { code: 'ESTALE', words: 'stale file handle' }],
  [-constants.errno.EDQUOT, { code: 'EDQUOT', words: 'disk quota exceeded' }],
]);
const UNNAMED_CODE = 'Unknown system error';
const UNNAMED_TEXT = /^(?:Unknown system error -\d+(?:: )?){1,2}/;

function unnamedOf(error: Error): { readonly code: string; readonly words: string } | null {
  const { code, errno } = error as NodeJS.ErrnoException;
  return errno !== undefined && code?.startsWith(UNNAMED_CODE) === true ? (UNNAMED.get(errno) ?? null) : null;
}

/** Codes of the system’s errors while a disk, or the server of a mount, is away. */
const AWAY: ReadonlySet<string> = new Set(['EIO', 'ESTALE', 'ENOTCONN', 'ENODEV', 'ENXIO', 'ETIMEDOUT', 'EHOSTDOWN', 'EREMOTEIO']);

/** Whether an error says that a disk, or the server of a mount, is away: nothing is known of its files until it is back. */
export const isAway = (error: unknown): boolean => AWAY.has(errorCode(error));

/** The same of the server of a mount alone: a disk may also have one file that is damaged, and not be away. */
export const isServerAway = (error: unknown): boolean => isAway(error) && errorCode(error) !== 'EIO';

/** Node's own words for a relative path that it cannot resolve tell nobody what to do. */
const NOWHERE = 'the working directory was removed, so relative paths lead nowhere: change to one that is there (cd), or give whole paths';

/** The `code` of a system error (`ENOENT` …), or the empty string. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code } = error as NodeJS.ErrnoException;
  return unnamedOf(error)?.code ?? (typeof code === 'string' ? code : '');
}
