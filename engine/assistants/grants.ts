import { lstatSync, statSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { errorCode, messageOf } from '../base/errors.ts';
import { readTextSync } from '../base/files/regular-file.ts';
import type { GrantedPlace } from './granted-places.ts';

/** A place as the window granted it. */
export interface Grant extends GrantedPlace {
  /** The source of the window that it is: `path` without links. */
  readonly location: string;
}

/** Files that the window has granted to assistants. */
export interface Grants {
  readonly redact: boolean;
  readonly files: readonly Grant[];
}

export const NO_GRANTS: Grants = { redact: true, files: [] };

/** The file of grants is not used: it is none that the window has written. The message continues “PATH ”. */
export class GrantsError extends Error {
  override readonly name = 'GrantsError';
}

/** Files that may be granted. */
export const MOST_GRANTS = 1000;
const MOST_BYTES = 4 << 20;

/** The folder within the user's data that holds what is about assistants. */
export const assistantsFolder = (data: string): string => join(data, 'assistants');
/** The file of grants. @param data the folder of the user's data */
export const grantsPath = (data: string): string => join(assistantsFolder(data), 'granted.json');

/** A whole path: none that climbs, and none whose meaning depends on where a process is. */
const path = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => isAbsolute(text) && resolve(text) === text && !text.includes('\0'), { error: 'no whole path' });
const grant = z
  .strictObject({ location: path, path, root: path })
  .refine((one) => one.path === one.root || one.path.startsWith(one.root.endsWith(sep) ? one.root : one.root + sep), {
    error: 'a path that is not in its root',
  });
const schema = z.strictObject({ version: z.literal(1), redact: z.boolean(), files: z.array(grant).max(MOST_GRANTS) });

/** @throws {Error} when it is no such text */
export function parseGrants(text: string): Grants {
  const { redact, files } = schema.parse(JSON.parse(text));
  return { redact, files };
}

export const formatGrants = ({ redact, files }: Grants): string => `${JSON.stringify({ version: 1, redact, files }, null, 1)}\n`;

/** Whether others may write it. Windows tells neither: there it has the rights of the user's profile. */
function isForeign({ uid, mode }: Stats): boolean {
  const user = process.getuid?.();
  return user !== undefined && (uid !== user || (mode & 0o022) !== 0);
}

/** The grants now: nothing without the file. @throws {GrantsError} for a file that others may have put there or written, and for one that cannot be read */
export function readGrants(file: string): Grants {
  try {
    const info = lstatSync(file);
    if (!info.isFile()) throw new GrantsError('is no file of its own');
    const folder = dirname(file);
    if ([info, statSync(folder), statSync(dirname(folder))].some(isForeign)) throw new GrantsError('can be written by others');
    return parseGrants(readTextSync(file, MOST_BYTES));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return NO_GRANTS;
    if (error instanceof GrantsError) throw error;
    throw new GrantsError(
      error instanceof SyntaxError || error instanceof z.ZodError ? 'is damaged' : `cannot be read: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
