import type { FileHandle } from 'node:fs/promises';

/** Writes all bytes to a file from a position on. @throws the errors of the file system, and when it takes nothing more without one */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw new Error('the system takes nothing more');
    at += bytesWritten;
  }
}

/**
 * Writes all of these pieces, one behind the other, from a position on, also when the system takes them bit by bit. Returns their length.
 * @throws the errors of the file system, and when it takes nothing more without one
 */
export async function writeAllPieces(handle: FileHandle, pieces: readonly Uint8Array[], position: number): Promise<number> {
  let done = 0;
  for (let rest = pieces.filter((piece) => piece.length > 0); rest.length > 0;) {
    const { bytesWritten } = await handle.writev(rest, position + done);
    if (bytesWritten === 0) throw new Error('the system takes nothing more');
    done += bytesWritten;
    rest = behind(rest, bytesWritten);
  }
  return done;
}

/** The pieces without so many bytes at their beginning. */
function behind(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  let first = 0;
  while (first < pieces.length && (pieces[first] as Uint8Array).length <= skip) skip -= (pieces[first++] as Uint8Array).length;
  const rest = pieces.slice(first);
  if (skip > 0) rest[0] = (rest[0] as Uint8Array).subarray(skip);
  return rest;
}
