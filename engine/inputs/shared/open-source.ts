import { close, constants, fstat, open, type Stats } from 'node:fs';
import { Socket } from 'node:net';
import { ReadStream as TerminalStream, isatty } from 'node:tty';
import { promisify } from 'node:util';
import { fdChunks, streamChunks, type Chunks } from '../chunks.ts';
import { errorCode } from '../../base/errors.ts';
import { memberAt } from '../archive/archive.ts';
import { directoryProblem, InputError, specialFileProblem } from '../notices.ts';
import { isStandardInput, sourceName } from './standard-input.ts';

const openFd = promisify(open);
const closeFd = promisify(close);
const statFd = promisify(fstat);

/**
 * Reads a file, one in an archive, a pipe, a terminal or another device once, from its beginning to its end. A named pipe waits for its first writer and
 * ends with the last one. Standard input is empty when it was read before.
 * @param path `-`: standard input
 * @param signal ends a wait for data
 * @throws {InputError} for what cannot be read as a stream; other errors are those of the system
 */
export async function* sourceChunks(path: string, signal?: AbortSignal): Chunks {
  if (isStandardInput(path)) return yield* standardInput();
  let fd: number | Socket;
  try {
    fd = await openSource(path);
  } catch (error) {
    const found = await memberAt(path);
    if (found === null) throw error;
    return yield* found.archive.read(found.member);
  }
  if (typeof fd !== 'number') return yield* streamChunks(abortable(fd, signal));
  let info: Stats;
  try {
    info = await statFd(fd);
    if (info.isDirectory()) throw directoryProblem(path);
    if (!info.isFile() && !info.isFIFO() && !info.isCharacterDevice()) throw specialFileProblem(path);
  } catch (error) {
    await closeFd(fd);
    throw error;
  }
  if (info.isFIFO()) return yield* streamChunks(abortable(new Socket({ fd, readable: true, writable: false }), signal));
  if (info.isCharacterDevice() && isatty(fd)) return yield* streamChunks(abortable(new TerminalStream(fd), signal));
  try {
    yield* info.isFile() ? fdChunks(fd) : deviceChunks(path, fdChunks(fd));
  } finally {
    await closeFd(fd);
  }
}

/**
 * Opens a path. A blocking open of a pipe without a writer would hold a thread, and with it the end of the process. A socket that the process has
 * inherited cannot be opened by its path, but is there.
 */
async function openSource(path: string): Promise<number | Socket> {
  try {
    return await openFd(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (errorCode(error) !== 'ENXIO') throw error;
    const inherited = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1];
    if (inherited === undefined) throw specialFileProblem(path);
    return new Socket({ fd: Number(inherited), readable: true, writable: false });
  }
}

async function* standardInput(): Chunks {
  const { stdin } = process;
  if (stdin.readableEnded || stdin.destroyed) return;
  const info = await statFd(0);
  if (info.isDirectory()) throw directoryProblem(sourceName('-'));
  const chunks = streamChunks(stdin);
  yield* info.isCharacterDevice() && !isatty(0) ? deviceChunks(sourceName('-'), chunks) : chunks;
}

function abortable<T extends Socket>(stream: T, signal: AbortSignal | undefined): T {
  const stop = (): void => void stream.destroy();
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  stream.once('close', () => signal?.removeEventListener('abort', stop));
  return stream;
}

/** Bytes at the beginning of a device that are looked at. */
const DEVICE_HEAD = 4096;

/** The data of a device; one of zero bytes (`/dev/zero`) has no end. A device with nothing more for now is at its end. */
async function* deviceChunks(name: string, chunks: Chunks): Chunks {
  let read = 0;
  try {
    for await (const chunk of chunks) {
      if (read === 0 && chunk.length >= DEVICE_HEAD && chunk.subarray(0, DEVICE_HEAD).every((byte) => byte === 0))
        throw new InputError('file.special', `${name} is a device that gives zero bytes without end, no text.`);
      read += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') throw error;
  }
}
