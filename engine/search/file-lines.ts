import type { FileHandle } from 'node:fs/promises';
import { EngineError } from '../base/errors.ts';
import { damagedProblem, fileProblem, noTextProblem } from '../inputs/notices.ts';
import { probe, PROBE_BYTES } from '../inputs/probe.ts';
import { readAt } from '../base/files/read-at.ts';
import { openFile } from '../inputs/shared/open-file.ts';
import { isStandardInput, sourceName } from '../inputs/shared/standard-input.ts';
import { startSearch, type LineSearch } from './line-search.ts';

/**
 * Searches the lines of a file, a pipe or standard input (`-`); what is compressed is unpacked, UTF-16 converted.
 * @returns whether a line matches
 * @throws {InputError} for what cannot be read, after the matches before the fault; {SearchError}
 */
export async function searchLines(file: string, search: LineSearch): Promise<boolean> {
  try {
    if (await isPlainText(file)) return await startSearch(search, file, file).found;
    // Compressed files are rare: their reader is loaded only for them.
    return await (await import('./stream-lines.ts')).searchStream(file, search);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const { isDamaged } = await import('../inputs/decompress.ts');
    throw isDamaged(error) ? damagedProblem(sourceName(file), error) : fileProblem(sourceName(file), error);
  }
}

/** Bytes at the end of a file in which the end of a line is looked for. */
const TAIL_BYTES = 1 << 20;

/** Whether ripgrep can read the file by itself. @throws {InputError} for a file that is no text */
async function isPlainText(file: string): Promise<boolean> {
  if (isStandardInput(file)) return false;
  const handle = await openFile(file).catch(() => null);
  // A path that cannot be opened like this is a pipe or a device, or the other way reports the error.
  if (handle === null) return false;
  try {
    const info = await handle.stat();
    const head = Buffer.alloc(PROBE_BYTES);
    const { bytesRead } = await handle.read(head, 0, PROBE_BYTES, 0);
    const found = probe(head.subarray(0, bytesRead));
    if (found.kind === 'binary' || found.kind === 'archive') throw noTextProblem(file, found);
    return (
      found.kind === 'text' &&
      found.encoding === 'utf-8' &&
      found.lineEnd === undefined &&
      found.bom === 0 &&
      (await isEnded(handle, info.size))
    );
  } finally {
    await handle.close();
  }
}

/** Whether the last line has its end, or is so long that nothing else is to hold it. */
async function isEnded(handle: FileHandle, size: number): Promise<boolean> {
  const tail = await readAt(handle, Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES));
  return tail.length === 0 || tail.at(-1) === 10 || (size > TAIL_BYTES && !tail.includes(10));
}
