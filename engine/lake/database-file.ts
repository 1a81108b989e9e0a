import { closeSync, fstatSync, lstatSync, readSync, type Stats } from 'node:fs';
import { errorCode } from '../base/errors.ts';
import { openRegularSync } from '../base/files/regular-file.ts';

/**
 * Looks at files of SQLite that may come from elsewhere, before SQLite does: what it reads it trusts, so that a pipe beside a database, a journal that names another
 * file, or pages that lead to each other would make it wait, delete, or read for ever. The form of the files is told in https://www.sqlite.org/fileformat2.html.
 */

/** Bytes of a page, as SQLite makes them. */
export const PAGE_BYTES = 4096;
/** Bytes of a database that is opened: a list of a million files. */
const MOST_BYTES = 1 << 30;

/** A file that SQLite is not to read. The message continues “PATH …: ”. */
class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError';
}

/** Checks what SQLite looks at when it opens a database. @throws {DatabaseFileError} */
export function checkBeforeOpening(path: string, mostBytes = MOST_BYTES): void {
  const size = sizeOf(path, '');
  if (size !== null && size > mostBytes)
    throw new DatabaseFileError(`it is too large: at most ${mostBytes.toLocaleString('en')} bytes are read`);
  for (const suffix of ['-wal', '-shm'])
    if (sizeOf(path, suffix) !== null) throw new DatabaseFileError(`${path}${suffix} is not one of its files: remove it`);
  if (sizeOf(path, '-journal') !== null && endsWithName(`${path}-journal`))
    throw new DatabaseFileError(`${path}-journal names another file, as none of a store does: remove it`);
}

/** Bytes of a regular file; null: there is none. */
function sizeOf(path: string, suffix: string): number | null {
  let stat: Stats;
  try {
    stat = lstatSync(path + suffix);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
    throw error;
  }
  if (stat.isFile()) return stat.size;
  throw new DatabaseFileError(`${suffix === '' ? 'it' : path + suffix} is a link, or no regular file`);
}

const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');

/** Whether a journal ends with the name of a journal of several databases, which SQLite would open, and delete. */
function endsWithName(path: string): boolean {
  return withFile(path, (fd, size) => {
    const end = Buffer.alloc(JOURNAL_MAGIC.length);
    readSync(fd, end, 0, end.length, Math.max(0, size - end.length));
    return end.equals(JOURNAL_MAGIC);
  });
}

/** Place of the b-tree's head in the first page, and its length. */
const TREE_AT = 100;
const TREE_BYTES = 8;
/** Kind of a page without further pages below it. */
const LEAF = 13;
/** A row of the schema is not longer when it is in its page as a whole. */
const MOST_ROW = PAGE_BYTES - 35;

/**
 * Checks that the schema of a database is in its first page as a whole: SQLite reads it before anything can be asked. Called when a journal that was left has been
 * taken back.
 * @throws {DatabaseFileError}
 */
export function checkSchemaPage(path: string): void {
  const page = Buffer.alloc(PAGE_BYTES);
  const read = withFile(path, (fd) => readSync(fd, page, 0, PAGE_BYTES, 0));
  // SQLite takes one of a single byte as empty, too.
  if (read <= 1) return;
  const [sizeHigh, sizeLow, written, readable, reserved] = page.subarray(16, 21);
  if (read < PAGE_BYTES || sizeHigh !== PAGE_BYTES >> 8 || sizeLow !== 0 || written !== 1 || readable !== 1 || reserved !== 0)
    throw new DatabaseFileError('its first page is not that of a store');
  if (page[TREE_AT] !== LEAF) throw new DatabaseFileError('its schema is not that of a store');
  const rows = page.readUInt16BE(TREE_AT + 3);
  for (let i = 0; i < rows; i++) {
    const at = TREE_AT + TREE_BYTES + 2 * i;
    if (at + 2 > PAGE_BYTES || rowLength(page, page.readUInt16BE(at)) > MOST_ROW)
      throw new DatabaseFileError('its schema is not that of a store');
  }
}

/** The length of a row, a number of one or two bytes; longer ones count as endless. */
function rowLength(page: Buffer, at: number): number {
  const [first = 0xff, second = 0xff] = page.subarray(at, at + 2);
  if (first < 0x80) return first;
  return second < 0x80 ? ((first & 0x7f) << 7) | second : Infinity;
}

function withFile<T>(path: string, read: (fd: number, size: number) => T): T {
  const fd = openRegularSync(path);
  try {
    return read(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}
