import { errorCode, messageOf } from '../errors.ts';

/** Advice for a file that cannot be written, by the code of the system’s error. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: '; free some space on its disk',
  EDQUOT: '; free some space, or raise the quota of its owner',
  EFBIG: '; move it away, or raise the limit of the size of files (ulimit -f)',
  EROFS: '; make its file system writable',
  EIO: '; look at its disk, and at the log of the system',
  ENOENT: '; check that the folder above it is there',
  ENOTDIR: '; a part of its path is a file: name a folder instead',
  EEXIST: '; move away what is in its place',
  EACCES: '; give this user write permission',
  ENXIO: '; if it is a pipe, start the program that reads it',
  EPIPE: '; start the program that reads this pipe',
};

/** Why a file or folder cannot be written, and what to do about it, where its path is told already. */
export const unwritableReason = (error: unknown): string =>
  `${messageOf(error).replace(/, [a-z]+ '.*$/s, '')}${ADVICE[errorCode(error)] ?? ''}`;

/** Says why a file or folder cannot be written, and what to do about it. */
export function unwritable(path: string, error: unknown): string {
  return `${path} cannot be written (${messageOf(error)})${ADVICE[errorCode(error)] ?? ''}`;
}
