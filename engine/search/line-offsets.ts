import type { Readable } from 'node:stream';
import { endOf, SearchError, startRipgrep, wordsOf } from './ripgrep.ts';

/** Lines are told by themselves, as offsets; a line of a file without texts may have any length, so the file is not mapped. */
const OPTIONS = ['--byte-offset', '--no-line-number', '--no-filename', '--max-columns=1', '--no-crlf', '--no-mmap', '--line-buffered'];

/**
 * The offsets of the lines of a file that match, ascending, as they are found. Carriage returns belong to their lines.
 * @param file the path that a child process has for this descriptor, as its third one
 * @throws {SearchError}
 */
export async function* matchingLineOffsets(
  expression: string,
  file: { readonly descriptor: number; readonly path: string },
  signal: AbortSignal,
): AsyncGenerator<readonly number[], void, undefined> {
  const pattern = { text: expression, ignoreCase: false, fixed: false };
  const child = startRipgrep(pattern, OPTIONS, file.path, { open: [file.descriptor] });
  const ended = endOf(child);
  ended.catch(() => undefined);
  const stop = (): void => void child.kill();
  signal.addEventListener('abort', stop);
  try {
    if (signal.aborted) stop();
    let rest = '';
    for await (const text of (child.stdout as Readable).setEncoding('latin1') as AsyncIterable<string>) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() as string;
      if (lines.length > 0) yield lines.map((line) => Number.parseInt(line, 10));
    }
    const { code, signal: sent, complaint } = await ended;
    if (code !== 0 && code !== 1) throw new SearchError(wordsOf(complaint) || `ripgrep was ended by ${sent ?? 'an error'}`);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
