import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync, type Stats } from 'node:fs';
import { open, stat as statOf, type FileHandle } from 'node:fs/promises';

/**
 * Reads files that somebody else may have put in place: a pipe or a device is not opened, nothing is waited for, and no more is read than was asked
 * for, also of a file that grows or is replaced meanwhile.
 */

/** A path leads to something that is not read: no regular file, too large, on a disk that does not answer, or replaced meanwhile. The message continues “PATH cannot be read: ”. */
export class RegularFileError extends Error {
  override readonly name = 'RegularFileError';
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

export interface RegularFile {
  /** Path of the file that was opened, without symbolic links. */
  readonly place: string;
  readonly bytes: Buffer;
}

/** Never waits for the other end of a pipe, and never makes a terminal that of this process. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Reads a regular file as a whole.
 * @param allow called with the place of the opened file, before it is read; throws when that is not to be read
 * @throws {RegularFileError} when it is no regular file or has more bytes
 * @throws errors of the file system
 */
export function readRegularFileSync(path: string, maxBytes: number, allow?: (place: string) => void): RegularFile {
  lookSync(path, maxBytes);
  const fd = openSync(path, FLAGS);
  try {
    const stat = fstatSync(fd);
    check(stat, maxBytes);
    const place = placeOf(fd, path, stat);
    allow?.(place);
    return { place, bytes: readWhole(fd, stat.size, maxBytes) };
  } finally {
    closeSync(fd);
  }
}

/** The text of a file in UTF-8. Errors as with `readRegularFileSync`. */
export const readTextSync = (path: string, maxBytes: number): string => readRegularFileSync(path, maxBytes).bytes.toString('utf8');

/** A disk that is away, as one of a network, may never answer. */
const DEADLINE_MS = 10_000;

/**
 * Reads a regular file as a whole without holding up the process.
 * @throws {RegularFileError} also when its disk does not answer for ten seconds; otherwise as `readRegularFileSync`
 */
export function readRegularFile(path: string, maxBytes: number, allow?: (place: string) => void): Promise<RegularFile> {
  const { promise, resolve, reject } = Promise.withResolvers<RegularFile>();
  const late = (): void =>
    reject(new RegularFileError(`its disk did not answer within ${DEADLINE_MS / 1000} seconds: try again when it does`));
  const timer = setTimeout(late, DEADLINE_MS);
  const answered = (): unknown => timer.refresh();
  readPieces(path, maxBytes, allow, answered)
    .then(resolve, reject)
    .finally(() => clearTimeout(timer));
  return promise;
}

/** The text of a file in UTF-8. Errors as with `readRegularFile`. */
export async function readText(path: string, maxBytes: number): Promise<string> {
  return (await readRegularFile(path, maxBytes)).bytes.toString('utf8');
}

/** @param answered called when the disk has answered */
async function readPieces(
  path: string,
  maxBytes: number,
  allow: ((place: string) => void) | undefined,
  answered: () => unknown,
): Promise<RegularFile> {
  await look(path, maxBytes);
  const file = await open(path, FLAGS);
  try {
    const stat = await file.stat();
    check(stat, maxBytes);
    const place = placeOf(file.fd, path, stat);
    allow?.(place);
    const pieces: Buffer[] = [];
    let size = 0;
    for (;;) {
      answered();
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceSize(stat.size, size)), 0);
      if (bytesRead === 0) return { place, bytes: Buffer.concat(pieces, size) };
      pieces.push(buffer.subarray(0, bytesRead));
      size += bytesRead;
      if (size > maxBytes) throw tooLarge(maxBytes);
    }
  } finally {
    await file.close();
  }
}

/** Opens a regular file for reading. @throws {RegularFileError} when it is none; errors of the file system */
export async function openRegular(path: string): Promise<FileHandle> {
  await look(path);
  const file = await open(path, FLAGS);
  try {
    check(await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The same without a promise: the number of the open file. */
export function openRegularSync(path: string): number {
  lookSync(path);
  const fd = openSync(path, FLAGS);
  try {
    check(fstatSync(fd));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Words for what a path leads to; null: a regular file. */
function otherThanFile(stat: Stats): string | null {
  if (stat.isFile()) return null;
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a pipe';
  return stat.isSocket() ? 'a socket' : 'a device';
}

function check(stat: Stats, maxBytes = Infinity): void {
  const other = otherThanFile(stat);
  if (other !== null) throw new RegularFileError(`it is ${other}, not a regular file`);
  if (stat.size > maxBytes) throw tooLarge(maxBytes);
}

/** Looks at a file before it is opened: a device could do something then. Where it cannot be looked at, opening tells why. */
function lookSync(path: string, maxBytes?: number): void {
  let stat: Stats;
  try {
    stat = statSync(path);
  } catch {
    return;
  }
  check(stat, maxBytes);
}

async function look(path: string, maxBytes?: number): Promise<void> {
  const stat = await statOf(path).catch(() => null);
  if (stat !== null) check(stat, maxBytes);
}

const tooLarge = (maxBytes: number): RegularFileError =>
  new RegularFileError(`it is too large: at most ${maxBytes.toLocaleString('en')} bytes are read`, true);

const PROCESS_FILES = '/proc/self/fd/';
const GONE = ' (deleted)';

/** The place of an open file. Linux tells it; elsewhere the path must still lead to that file. */
function placeOf(fd: number, path: string, { dev, ino }: Stats): string {
  if (process.platform === 'linux') {
    try {
      const place = readlinkSync(PROCESS_FILES + fd);
      if (place.startsWith('/') && !place.endsWith(GONE)) return place;
    } catch {
      // There may be no /proc.
    }
  }
  const place = realpathSync.native(path);
  const there = statSync(place);
  if (there.dev !== dev || there.ino !== ino) throw new RegularFileError('it was replaced while it was read: try again');
  return place;
}

/** Files of /proc have no size. */
const PIECE = 64 << 10;

const pieceSize = (size: number, read: number): number => Math.max(size - read, 0) + (size > read ? 1 : PIECE);

function readWhole(fd: number, size: number, maxBytes: number): Buffer {
  const pieces: Buffer[] = [];
  let have = 0;
  for (;;) {
    const buffer = Buffer.allocUnsafe(pieceSize(size, have));
    const read = readSync(fd, buffer);
    if (read === 0) return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, have);
    pieces.push(buffer.subarray(0, read));
    have += read;
    if (have > maxBytes) throw tooLarge(maxBytes);
  }
}
