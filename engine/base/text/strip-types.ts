import { stripTypeScriptTypes } from 'node:module';
import { messageOf } from '../errors.ts';
import { deepPlace, type TextPlace } from './nesting.ts';

/**
 * Most brackets within each other. At about 400 classes or 1,000 parentheses Node's compiler of types runs out of its stack, and then fails for
 * every text until the process ends.
 */
const MAX_NESTING = 200;

let isFaulty = false;

/** Whether Node's compiler of types has failed in this process by a fault of its own: it may refuse good texts from then on. */
export const typesCompilerIsFaulty = (): boolean => isFaulty;

/** Whether the name of a file says that its text has types. */
export const isTyped = (path: string): boolean => /\.[mc]?ts$/.test(path);

/** The types of a text cannot be removed. */
export class TypesError extends SyntaxError {
  override readonly name = 'TypesError';
  /** null: not known. */
  readonly place: TextPlace | null;

  constructor(message: string, place: TextPlace | null, options?: ErrorOptions) {
    super(message, options);
    this.place = place;
  }
}

/**
 * A script without its types; blanks are in their places.
 * @throws {TypesError}
 */
export function stripTypes(text: string): string {
  const tooDeep = deepPlace(text, MAX_NESTING);
  if (tooDeep !== null)
    throw new TypesError(`more than ${MAX_NESTING} brackets are open here: write what is in them apart, or the script as .js`, tooDeep);
  try {
    return stripTypeScriptTypes(text, { mode: 'strip' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_INTERNAL_ASSERTION') {
      isFaulty = true;
      throw new TypesError("Node's compiler of types fails at it, most likely since it is nested too deeply: write it as .js", null, {
        cause,
      });
    }
    const [said = ''] = messageOf(cause).split('\n');
    throw new TypesError(said, placeInExcerpt((cause as Error).stack ?? ''), { cause });
  }
}

/**
 * Node begins the stack of such an error with the file and line, some lines of it, and a mark below the place. Of a place of several lines, each
 * has a mark in front, and lines around it four blanks.
 */
function placeInExcerpt(stack: string): TextPlace | null {
  const [, line, mark = ''] =
    /^[^\n]*:(\d+)\n(?: {4}[^\n]*\n)*? {2}> ([ \t]*)/.exec(stack) ?? /^[^\n]*:(\d+)\n(?:[^\n]*\n){1,8}?([ \t]*)\^/.exec(stack) ?? [];
  return line === undefined ? null : { line: Number(line), column: mark.length + 1 };
}
