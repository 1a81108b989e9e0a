import { close, constants, fstat, open, read } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';

const openFd = promisify(open);
const closeFd = promisify(close);
const statFd = promisify(fstat);

const PIECE_BYTES = 64 << 10;

/**
 * Reads a file that the user has named, also a pipe, such as a shell's `<(…)`, or a device, to its end or up to so many bytes. A pipe without a writer is waited for
 * without a thread, which would hold up the end of the process.
 * @throws errors of the file system
 */
export async function readGivenFile(path: string, maxBytes: number): Promise<Buffer> {
  const fd = await openFd(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  const info = await statFd(fd).catch(() => null);
  if (info?.isFIFO() === true) return await gather(new Socket({ fd, readable: true, writable: false }), maxBytes);
  if (info?.isCharacterDevice() === true && isatty(fd)) return await gather(new ReadStream(fd), maxBytes);
  try {
    return await gather(pieces(fd), maxBytes);
  } finally {
    await closeFd(fd);
  }
}

async function* pieces(fd: number): AsyncGenerator<Buffer, void, undefined> {
  for (;;) {
    const piece = await new Promise<Buffer>((resolve, reject) => {
      const buffer = Buffer.allocUnsafe(PIECE_BYTES);
      read(fd, buffer, 0, PIECE_BYTES, null, (error, bytesRead) =>
        error === null ? resolve(buffer.subarray(0, bytesRead)) : reject(error),
      );
    });
    if (piece.length === 0) return;
    yield piece;
  }
}

async function gather(source: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const all: Buffer[] = [];
  let length = 0;
  for await (const piece of source) {
    all.push(piece);
    length += piece.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(all, Math.min(length, maxBytes));
}
